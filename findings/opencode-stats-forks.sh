#!/usr/bin/env bash
# Guess: `opencode stats` counts what was spent, each request once; it is the client's own account of its own database.
# Seen with OpenCode 1.18.33: a fork copies messages with their tokens and costs, and the statistics add up all sessions, so
# what was before the fork counts again in each fork. ccusage 20.0.24 does the same with that database. Copies have new ids and
# name no original; only their times and words are those of the original. So two tools that agree are no proof.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 opencode-ai@1.18.33 ccusage@20.0.24
node node_modules/opencode-ai/postinstall.mjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { modelOnLoopback, opencode, run, settleOpencode, text } from './model.mjs'

let billed = 0
const { address, close } = await modelOnLoopback(({ tools = [] }) => {
  // Requests for a title have no tools, and are in no session.
  if (tools.length > 0) billed += 10
  return { blocks: [text('Three hives.')] }
})
settleOpencode(address)
await opencode('run', '--auto', 'Count the hives.')
await opencode('run', '--auto', '--continue', '--fork', 'Again.')
await opencode('run', '--auto', '--continue', '--fork', 'Again.')
close()
const stats = await opencode('stats')
const counted = await run('ccusage', ['opencode', 'daily', '--json', '--offline'])
const seen = {
  billed,
  stats: Number(/Input\s+(\d+)/.exec(stats.printed)?.[1]),
  ccusage: JSON.parse(counted.printed).totals.inputTokens,
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "tokens of input of a session with a fork of a fork: $seen"
[ "$seen" = '{"billed":30,"stats":60,"ccusage":60}' ]
