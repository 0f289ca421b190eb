#!/usr/bin/env bash
# Guess: when the model declines, Codex prints and stores its words like any reply: `refusal` is a documented part of a
# message of the Responses API, next to `output_text`.
# Seen with Codex 0.171.0: such a message is nowhere. The turn ends as completed, exit code 0, without an item; the rollout
# has the tokens of the reply, `last_agent_message: null` and no words. So a transcript with tokens and without a reply is
# no broken file, and what was said cannot be found.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0
cat >script.mjs <<'SCRIPT'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const usage = {
  ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, total_tokens: 107 },
  ...{ output_tokens: 7, output_tokens_details: { reasoning_tokens: 2 } },
}
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const content = [{ type: 'refusal', refusal: 'I do not disturb bees.' }]
  send('response.created', { response: { id: 'resp_1' } })
  send('response.content_part.added', { item_id: 'msg_1', output_index: 0, content_index: 0, part: { type: 'refusal', refusal: '' } })
  send('response.refusal.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: content[0].refusal })
  send('response.output_item.done', { item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content } })
  send('response.completed', { response: { id: 'resp_1', usage } })
  request.resume().on('end', () => response.end())
})
await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
const provider = `{ name = "bees", base_url = "http://127.0.0.1:${server.address().port}/v1", wire_api = "responses" }`
const settings = ['model_provider="bees"', `model_providers.bees=${provider}`, 'model="gpt-5.5"', 'notice.model_migrations={ "gpt-5.5" = "gpt-6-sol" }']
const words = ['exec', '--json', '--skip-git-repo-check', ...settings.flatMap((setting) => ['-c', setting]), 'Open the hives.']
const printed = await new Promise((settle) => {
  const env = { HOME: process.cwd(), PATH: process.env.PATH }
  const child = execFile('node_modules/.bin/codex', words, { env, timeout: 60_000 }, (error, text) => settle(`${text}exit ${error?.code ?? 0}`))
  child.stdin.end()
})
server.close()
const name = readdirSync('.codex/sessions', { recursive: true }).find((each) => each.endsWith('.jsonl'))
const rollout = readFileSync(`.codex/sessions/${name}`, 'utf8')
const seen = {
  events: [...printed.matchAll(/"type":"((?:turn|item)\.\w+)"|(exit \d+)/g)].map(([, event, exit]) => event ?? exit),
  tokensStored: /"total_token_usage":\{"input_tokens":(\d+)/.exec(rollout)?.[1],
  wordsStored: rollout.includes('disturb') || printed.includes('disturb'),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "events of a turn in which the model declined, and what is stored: $seen"
[ "$seen" = '{"events":["turn.started","turn.completed","exit 0"],"tokensStored":"100","wordsStored":false}' ]
