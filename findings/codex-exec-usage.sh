#!/usr/bin/env bash
# Guess: `turn.completed.usage` of `codex exec --json` is what the turn used, as the name of the event says.
# Seen with Codex 0.171.0: it is the sum of the thread. After `codex exec resume` it contains all turns of earlier runs, so a
# script that adds up the turns it started counts the first one in every later one. The rollout has both figures
# (`last_token_usage`, `total_token_usage`), and in `token_usage_record` those of the turn; the printed event has the sum alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0
cat >script.mjs <<'SCRIPT'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'

const usage = {
  ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, total_tokens: 107 },
  ...{ output_tokens: 7, output_tokens_details: { reasoning_tokens: 2 } },
}
let count = 0
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const id = `resp_${++count}`
  const content = [{ type: 'output_text', text: 'Three hives.', annotations: [] }]
  send('response.created', { response: { id } })
  send('response.output_item.done', { item: { type: 'message', id: `msg_${count}`, role: 'assistant', status: 'completed', content } })
  send('response.completed', { response: { id, usage } })
  request.resume().on('end', () => response.end())
})
await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
const provider = `{ name = "bees", base_url = "http://127.0.0.1:${server.address().port}/v1", wire_api = "responses" }`
const settings = ['model_provider="bees"', `model_providers.bees=${provider}`, 'model="gpt-5.5"', 'notice.model_migrations={ "gpt-5.5" = "gpt-6-sol" }']
const options = ['--json', '--skip-git-repo-check', ...settings.flatMap((setting) => ['-c', setting])]
const env = { HOME: process.cwd(), PATH: process.env.PATH }
const codex = (...words) =>
  new Promise((settle) => {
    const child = execFile('node_modules/.bin/codex', ['exec', ...words], { env, timeout: 60_000 }, (_error, printed) => settle(printed))
    child.stdin.end()
  })
const usageIn = (printed) => JSON.parse(printed.trim().split('\n').at(-1)).usage.input_tokens
const first = await codex(...options, 'Count the hives.')
const { thread_id } = JSON.parse(first.split('\n')[0])
const second = await codex('resume', ...options, thread_id, 'Again.')
const third = await codex('resume', ...options, thread_id, 'Again.')
server.close()
console.log(JSON.stringify({ requests: count, input: [first, second, third].map(usageIn) }))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "requests of 100 tokens of input each, and what each turn says it used: $seen"
[ "$seen" = '{"requests":3,"input":[100,200,300]}' ]
