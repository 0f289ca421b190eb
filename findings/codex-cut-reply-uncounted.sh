#!/usr/bin/env bash
# Guess: a Codex reply that ends at the limit of output tokens has a `token_count` like the others, whose
# `last_token_usage` is what the request used; counters that add these up, as ccusage does, are right.
# Seen with Codex 0.171.0 and ccusage 20.0.24: `last_token_usage` is all zeros while `total_token_usage` has grown, the turn
# counts as failed, and `last_agent_message` is null although the rollout has the words. ccusage leaves out the request,
# and here the whole session. Only the growth of the total, or `token_usage_record`, has the tokens that were billed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0 ccusage@20.0.24
cat >script.mjs <<'SCRIPT'
import { codex, modelOnLoopback, recordsIn, responseMessage, run } from './model.mjs'

const items = [responseMessage({ type: 'output_text', text: 'Three hives, of wh', annotations: [] })]
const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
const { address, close } = await modelOnLoopback(() => ({ items, end: 'incomplete', response }))
await codex(address, 'Count the hives.')
close()
const payloads = recordsIn('.codex/sessions').map(({ payload }) => payload)
const { info } = payloads.findLast(({ type }) => type === 'token_count')
const counted = await run('ccusage', ['codex', 'session', '--json', '--offline'])
const seen = {
  last: info.last_token_usage.total_tokens,
  total: info.total_token_usage.total_tokens,
  wordsStored: JSON.stringify(payloads).includes('of wh'),
  lastMessage: payloads.at(-1).last_agent_message,
  ccusage: JSON.parse(counted.printed).totals?.totalTokens ?? 0,
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "tokens of a reply of 107 that was cut off: $seen"
[ "$seen" = '{"last":0,"total":107,"wordsStored":true,"lastMessage":null,"ccusage":0}' ]
