#!/usr/bin/env bash
# Guess: in a fork of a Codex thread, where `total_token_usage` goes on from the parent's sum, a counter either counts the
# parent's tokens again, or, going by `last_token_usage`, each request once.
# Seen with Codex 0.171.0 and ccusage 20.0.24: the first request of the fork is in no figure; with one turn, the fork is not
# listed at all. A fork repeats nothing since Codex names its history (`history_base`) instead of copying it, so what looks
# like a replay is new. What comes after the first request counts. Work that goes on in many forks is underestimated.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0 ccusage@20.0.24
cat >script.mjs <<'SCRIPT'
import { codex, modelOnLoopback, responseMessage, run } from './model.mjs'

const items = [responseMessage({ type: 'output_text', text: 'Three hives.', annotations: [] })]
const { address, close, requests } = await modelOnLoopback(() => ({ items }))
const threadIn = ({ printed }) => JSON.parse(printed.split('\n')[0]).thread_id
const seen = []
async function count() {
  const { printed } = await run('ccusage', ['codex', 'session', '--json', '--offline'])
  const { sessions, totals } = JSON.parse(printed)
  seen.push({ billed: requests() * 107, counted: totals.totalTokens, sessions: sessions.length })
}
const parent = threadIn(await codex(address, 'Count the hives.'))
await count()
const fork = threadIn(await codex(address, 'fork', parent, 'Count them again.'))
await count()
await codex(address, 'resume', fork, 'And again.')
await count()
close()
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "tokens after a turn, after one in a fork, and after another one in the fork: $seen"
[ "$seen" = '[{"billed":107,"counted":107,"sessions":1},{"billed":214,"counted":107,"sessions":1},{"billed":321,"counted":214,"sessions":2}]' ]
