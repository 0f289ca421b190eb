#!/usr/bin/env bash
# Guess: of a tool's result with several parts, the model gets each in some form: a link (`resource_link`) as its address,
# sound and other bytes as a note that they were left out; texts stay apart.
# Seen: Claude Code 2.1.332 does so. Copilot CLI 1.0.102 and OpenCode 1.18.33 drop links and sound without a word; they are
# not in the transcript either. Copilot also joins the texts without a blank or a new line between them, so that two list
# entries become one line and the last word of one and the first of the next become one word. A server that answers with
# links to what it found answers nothing there; it has to write addresses into its text, and all that belongs apart into one.
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
const text = (words) => ({ type: 'text', text: words })
const link = { type: 'resource_link', uri: 'hive://north/7', name: 'north', mimeType: 'text/plain' }
const sound = { type: 'audio', data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=', mimeType: 'audio/wav' }
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bees', version: '1.0.0' } },
  'tools/list': { tools: [{ name: 'hives', description: 'Counts hives', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content: [text('North'), link, sound, text('South')] },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})
SERVER
cat >script.mjs <<'SCRIPT'
import { readFileSync, readdirSync } from 'node:fs'
import { claude, copilot, modelOnLoopback, opencode, settle, settleOpencode, text } from './model.mjs'

const [command, args] = [process.execPath, [`${process.cwd()}/server.mjs`]]
const state = (all) =>
  Object.entries({ link: /hive:\/\/north/, sound: /audio|sound/i, apart: /North(?!South)/ })
    .map(([name, each]) => `${name} ${each.test(all)}`)
    .join(', ')
/** `stored`: where its transcripts are. The bytes of a database with its log of changes are good enough. */
async function talk(name, folder, files, start) {
  let passed
  const { address, close } = await modelOnLoopback(({ tools = [], messages }) => {
    const tool = tools.map((each) => each.name).find((each) => each.endsWith('hives'))
    const last = JSON.stringify(messages.at(-1))
    if (last.includes('"tool_result"')) passed = last
    if (!tool || last.includes('"tool_result"')) return { blocks: [text('Done.')] }
    return { blocks: [{ type: 'tool_use', id: 'toolu_1', name: tool, input: {} }], stop: 'tool_use' }
  })
  await start(address)
  close()
  const names = readdirSync(folder, { recursive: true }).filter((each) => files.test(each))
  const stored = names.map((each) => readFileSync(`${folder}/${each}`, 'latin1')).join('')
  console.log(`${name}: ${state(passed)}; link stored ${stored.includes('hive://north')}`)
}

settle('servers.json', { mcpServers: { bees: { command, args } } })
settle('.copilot/mcp-config.json', { mcpServers: { bees: { type: 'local', tools: ['*'], command, args } } })
await talk('claude', '.claude/projects', /\.jsonl$/, (address) =>
  claude(address, '--mcp-config', 'servers.json', '--allowedTools', 'mcp__bees', '-p', 'Count them.'),
)
await talk('copilot', '.copilot/session-state', /\.jsonl$/, (address) => copilot(address, 'Count them.'))
await talk('opencode', '.local/share/opencode', /opencode\.db/, (address) => {
  settleOpencode(address, { bees: { type: 'local', command: [command, ...args] } })
  return opencode('run', '--auto', 'Count them.')
})
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "what reaches the model of a result with two texts, a link and a sound:
$seen"
[ "$seen" = "claude: link true, sound true, apart true; link stored true
copilot: link false, sound false, apart false; link stored false
opencode: link false, sound false, apart true; link stored false" ]
