#!/usr/bin/env bash
# Guess: if a tool of an MCP server returns `content` and `structuredContent`, the model gets the text, and the transcript
# keeps both; the structure is for programs.
# Seen: Claude Code 2.1.332 passes the structure as JSON and drops the text; the words are nowhere in the transcript.
# OpenCode 1.18.33 passes the text and drops the structure. Copilot CLI 1.0.102 passes both. None of these two minds
# `annotations.audience: ["user"]`: the model gets that text, too. A server that answers agents in words, as one for
# transcripts does, must not add a structure to them, or put into it all that the words say.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 opencode-ai@1.18.33
for script in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$script" >/dev/null; done
cat >server.mjs <<'SERVER'
import { createInterface } from 'node:readline'
const content = [{ type: 'text', text: 'Three of them hum.' }, { type: 'text', text: 'Wear gloves.', annotations: { audience: ['user'] } }]
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bees', version: '1.0.0' } },
  'tools/list': { tools: [{ name: 'hives', description: 'Counts hives', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content, structuredContent: { hives: 3 } },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})
SERVER
cat >script.mjs <<'SCRIPT'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
let passed
const server = createServer(async (request, response) => {
  const body = (await request.toArray()).join('')
  const name = /"name":"(\w+.hives)"/.exec(body)?.[1]
  const result = JSON.stringify(JSON.parse(body || '{}').messages?.at(-1).content ?? '').match(/"tool_result".*/)?.[0]
  if (result) passed = [/hum/, /gloves/, /hives\W+3/].map((each) => each.test(result)).join()
  const isCall = name && !result
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('message_start', { message: { id: `msg_${body.length}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [], stop_reason: null, usage } })
  send('content_block_start', { index: 0, content_block: isCall ? { type: 'tool_use', id: 'toolu_1', name, input: {} } : { type: 'text', text: '' } })
  send('content_block_delta', { index: 0, delta: isCall ? { type: 'input_json_delta', partial_json: '{}' } : { type: 'text_delta', text: 'Done.' } })
  send('content_block_stop', { index: 0 })
  send('message_delta', { delta: { stop_reason: isCall ? 'tool_use' : 'end_turn' }, usage })
  send('message_stop', {})
  response.end()
})
await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
const [address, key] = [`http://127.0.0.1:${server.address().port}`, 'no-key-at-all']
const bees = { command: process.execPath, args: [`${process.cwd()}/server.mjs`] }
async function talk(client, words, path, settings, variables) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(settings))
  const options = { env: { HOME: process.cwd(), PATH: process.env.PATH, ...variables }, timeout: 90_000 }
  await new Promise((settle) => execFile(`node_modules/.bin/${client}`, [...words, 'Count the hives.'], options, settle).stdin.end())
  return passed
}
console.log(JSON.stringify({
  claude: await talk('claude', ['--mcp-config', './.mcp/bees.json', '--allowedTools', 'mcp__bees', '-p'], './.mcp/bees.json', { mcpServers: { bees } }, { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: key, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', ENABLE_TOOL_SEARCH: 'false' }),
  copilot: await talk('copilot', ['--allow-all-tools', '--no-auto-update', '--disable-builtin-mcps', '-p'], '.copilot/mcp-config.json', { mcpServers: { bees: { type: 'local', tools: ['*'], ...bees } } }, { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: address, COPILOT_PROVIDER_TYPE: 'anthropic', COPILOT_PROVIDER_API_KEY: key, COPILOT_MODEL: 'claude-sonnet-4.5' }),
  opencode: await talk('opencode', ['run', '--auto'], '.config/opencode/opencode.json', { autoupdate: false, share: 'disabled', model: 'bees/bee', small_model: 'bees/bee', provider: { bees: { npm: '@ai-sdk/anthropic', options: { baseURL: `${address}/v1`, apiKey: key }, models: { bee: { tool_call: true, limit: { context: 200_000, output: 8000 } } } } }, mcp: { bees: { type: 'local', command: [bees.command, ...bees.args] } } }, { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
}))
process.exit()
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "whether the model gets the words, those for the person alone, and the structure: $seen"
[ "$seen" = '{"claude":"false,false,true","copilot":"true,true,true","opencode":"true,true,false"}' ]
