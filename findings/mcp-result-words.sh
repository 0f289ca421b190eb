#!/usr/bin/env bash
# Guess: if a tool of an MCP server returns `content` and `structuredContent`, the model gets the text, and the transcript
# keeps both; the structure is for programs.
# Seen: Claude Code 2.1.332 passes the structure as JSON and drops the text, which is nowhere in its transcript. OpenCode
# 1.18.33 passes the text and drops the structure. Copilot CLI 1.0.102 passes both. Neither of the two that pass text
# minds `annotations.audience: ["user"]`: the model gets that, too. A server that answers agents in words, as one for
# transcripts does, must not add a structure to them, or put into it all that the words say.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 \
  @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 opencode-ai@1.18.33
for each in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$each" >/dev/null; done
cat >server.mjs <<'SERVER'
import { createInterface } from 'node:readline'
const text = (words, audience) => ({ type: 'text', text: words, annotations: { audience: [audience] } })
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bees', version: '1.0.0' } },
  'tools/list': { tools: [{ name: 'hives', description: 'Counts hives', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content: [text('All hum.', 'assistant'), text('Wear gloves.', 'user')], structuredContent: { hives: 3 } },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})
SERVER
cat >script.mjs <<'SCRIPT'
import { claude, copilot, modelOnLoopback, opencode, recordsIn, settle, settleOpencode, text } from './model.mjs'

let passed
const isThere = (all) => [/hum/, /gloves/, /hives\W+3/].map((each) => each.test(JSON.stringify(all)))
const { address, close } = await modelOnLoopback(({ tools = [], messages }) => {
  const name = tools.map((tool) => tool.name).find((each) => each.endsWith('hives'))
  const isResult = JSON.stringify(messages.at(-1)).includes('"tool_result"')
  if (isResult) passed = isThere(messages.at(-1))
  if (!name || isResult) return { blocks: [text('Done.')] }
  return { blocks: [{ type: 'tool_use', id: 'toolu_1', name, input: {} }], stop: 'tool_use' }
})
const [command, args] = [process.execPath, [`${process.cwd()}/server.mjs`]]
settle('servers.json', { mcpServers: { bees: { command, args } } })
settle('.copilot/mcp-config.json', { mcpServers: { bees: { type: 'local', tools: ['*'], command, args } } })
await claude(address, '--mcp-config', 'servers.json', '--allowedTools', 'mcp__bees', '-p', 'Count them.')
const seen = { claude: passed, stored: isThere(recordsIn('.claude/projects').filter(({ type }) => type === 'user')) }
await copilot(address, 'Count them.')
seen.copilot = passed
settleOpencode(address, { bees: { type: 'local', command: [command, ...args] } })
await opencode('run', '--auto', 'Count them.')
seen.opencode = passed
close()
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "whether a model gets the words, those for the person alone, and the structure: $seen"
claude='"claude":[false,false,true],"stored":[false,false,true]'
[ "$seen" = "{$claude,\"copilot\":[true,true,true],\"opencode\":[true,true,false]}" ]
