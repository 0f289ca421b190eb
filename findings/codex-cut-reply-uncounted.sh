#!/usr/bin/env bash
# Guess: a Codex reply that ends at the limit of output tokens has a `token_count` like the others, whose
# `last_token_usage` is what the request used; counters that add these up, as ccusage does, are right.
# Seen with Codex 0.171.0 and ccusage 20.0.24: `last_token_usage` is all zeros while `total_token_usage` has grown, the turn
# counts as failed, and `last_agent_message` is null although the rollout has the words. ccusage leaves out the request,
# and here the whole session. Only the growth of the total, or `token_usage_record`, has the tokens that were billed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0 ccusage@20.0.24
cat >script.mjs <<'SCRIPT'
import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const usage = {
  ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, total_tokens: 107 },
  ...{ output_tokens: 7, output_tokens_details: { reasoning_tokens: 2 } },
}
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const content = [{ type: 'output_text', text: 'Three hives, of wh', annotations: [] }]
  const incomplete_details = { reason: 'max_output_tokens' }
  send('response.created', { response: { id: 'resp_1' } })
  send('response.output_item.done', { item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'incomplete', content } })
  send('response.incomplete', { response: { id: 'resp_1', status: 'incomplete', incomplete_details, usage } })
  request.resume().on('end', () => response.end())
})
await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
const provider = `{ name = "bees", base_url = "http://127.0.0.1:${server.address().port}/v1", wire_api = "responses" }`
const settings = ['model_provider="bees"', `model_providers.bees=${provider}`, 'model="gpt-5.5"', 'notice.model_migrations={ "gpt-5.5" = "gpt-6-sol" }']
const words = ['exec', '--json', '--skip-git-repo-check', ...settings.flatMap((setting) => ['-c', setting]), 'Count the hives.']
const env = { HOME: process.cwd(), PATH: process.env.PATH, TZ: 'UTC' }
await new Promise((settle) => execFile('node_modules/.bin/codex', words, { env, timeout: 60_000 }, settle).stdin.end())
server.close()
const name = readdirSync('.codex/sessions', { recursive: true }).find((each) => each.endsWith('.jsonl'))
const payloads = readFileSync(`.codex/sessions/${name}`, 'utf8').trim().split('\n').map((line) => JSON.parse(line).payload)
const { info } = payloads.findLast(({ type }) => type === 'token_count')
const counted = execFileSync('node_modules/.bin/ccusage', ['codex', 'session', '--json', '--offline'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
const seen = {
  last: info.last_token_usage.total_tokens,
  total: info.total_token_usage.total_tokens,
  wordsStored: JSON.stringify(payloads).includes('of wh'),
  lastMessage: payloads.at(-1).last_agent_message,
  ccusage: JSON.parse(counted).totals?.totalTokens ?? 0,
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "tokens of a reply of 107 that was cut off: $seen"
[ "$seen" = '{"last":0,"total":107,"wordsStored":true,"lastMessage":null,"ccusage":0}' ]
