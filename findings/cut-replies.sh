#!/usr/bin/env bash
# Guess: a reply that ends at the limit of output tokens ends the turn; clients print it and store it, with that reason.
# Seen: three clients, three other ways. Claude Code 2.1.332 and Copilot CLI 1.0.102 ask for the rest by themselves. Claude
# stores both halves as two replies, but `-p` prints the second alone. Copilot prints both, but its transcript has the
# second alone, next to the usage of two requests: the first half is nowhere. pi 1.6.0 stores the half with `length` and
# prints nothing, with exit code 0. So what a script got and what a transcript says differ, in either direction.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 @earendil-works/pi-coding-agent@1.6.0
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const model = { id: 'claude-sonnet-4-5', name: 'Bees', input: ['text'], contextWindow: 200_000, maxTokens: 8192, cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } }
const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
let count = 0
const server = createServer((request, response) => {
  if (!request.url.includes('/messages')) return response.end('{}')
  const [text, stop_reason] = [['The hives are nor', 'max_tokens'], ['th of the barn.', 'end_turn']][count++] ?? ['More.', 'end_turn']
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('message_start', { message: { id: `msg_${count}`, type: 'message', role: 'assistant', model: model.id, content: [], stop_reason: null, usage } })
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
  send('content_block_stop', { index: 0 })
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage })
  send('message_stop', {})
  request.resume().on('end', () => response.end())
})
await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
const address = `http://127.0.0.1:${server.address().port}`
const halves = (text) => ['are nor', 'th of the'].map((half) => (text.includes(half) ? 'there' : 'missing')).join('+')
async function talk(client, words, sessions, variables) {
  count = 0
  const options = { env: { HOME: process.cwd(), PATH: process.env.PATH, ...variables }, timeout: 60_000 }
  const printed = await new Promise((settle) =>
    execFile(`node_modules/.bin/${client}`, words, options, (error, text) => settle(`${text}\nexit ${error?.code ?? 0}`)).stdin.end(),
  )
  const name = readdirSync(sessions, { recursive: true }).find((each) => each.endsWith('.jsonl'))
  const stored = readFileSync(`${sessions}/${name}`, 'utf8')
  return `${count} requests, printed ${halves(printed)}, stored ${halves(stored)}, ${/exit \d+$/.exec(printed)}`
}
mkdirSync('.pi/agent', { recursive: true })
writeFileSync('.pi/agent/models.json', JSON.stringify({ providers: { bees: { baseUrl: address, apiKey: 'no-key-at-all', api: 'anthropic-messages', models: [model] } } }))
const claude = { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: 'no-key-at-all', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }
const copilot = { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: address, COPILOT_PROVIDER_TYPE: 'anthropic', COPILOT_PROVIDER_API_KEY: 'no-key-at-all', COPILOT_MODEL: 'claude-sonnet-4.5' }
console.log(`claude: ${await talk('claude', ['-p', 'Where?'], '.claude/projects', claude)}`)
console.log(`copilot: ${await talk('copilot', ['--allow-all-tools', '--no-auto-update', '--disable-builtin-mcps', '--no-color', '-p', 'Where?'], '.copilot/session-state', copilot)}`)
console.log(`pi: ${await talk('pi', ['--provider', 'bees', '--model', model.id, '-p', 'Where?'], '.pi/agent/sessions', { PI_OFFLINE: '1', PI_TELEMETRY: '0' })}`)
server.close()
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = "claude: 2 requests, printed missing+there, stored there+there, exit 0
copilot: 2 requests, printed there+there, stored missing+there, exit 0
pi: 1 requests, printed missing+missing, stored there+missing, exit 0" ]
