#!/usr/bin/env bash
# Guess: if the tool of an MCP server says that it failed (`isError: true`), the model is told so, and the transcript says it.
# Seen: Claude Code 2.1.332 marks the result for the model and in its transcript. Continue CLI 1.5.47 drops the flag: the model
# gets the words as those of a call that went well, and the session says `done`. Cline CLI 3.0.65 puts the whole answer of the
# server into a text, flag and all, and does not mark the result: the model reads `"isError":true` as words, and who counts
# failed calls by the marks of results counts none. A server has to say in its words that it failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 \
  @anthropic-ai/claude-code@2.1.332 @continuedev/cli@1.5.47 cline@3.0.65
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >server.mjs <<'SERVER'
import { createInterface } from 'node:readline'
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bees', version: '1.0.0' } },
  'tools/list': { tools: [{ name: 'hives', description: 'Counts hives', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content: [{ type: 'text', text: 'The bees are asleep.' }], isError: true },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})
SERVER
cat >script.mjs <<'SCRIPT'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { claude, modelOnLoopback, recordsIn, run, settle, text } from './model.mjs'

let told
const { address, close } = await modelOnLoopback(({ tools = [], messages }) => {
  const name = tools.map((tool) => tool.name).find((each) => each.includes('hives'))
  const result = [messages.at(-1).content].flat().find(({ type }) => type === 'tool_result')
  if (result)
    told = {
      marked: result.is_error === true,
      words: /asleep/.test(JSON.stringify(result)),
      flag: /isError\W+true/.test(JSON.stringify(result)),
    }
  if (!name || result) return { blocks: [text('Done.')] }
  return { blocks: [{ type: 'tool_use', id: 'toolu_1', name, input: {} }], stop: 'tool_use' }
})
const [command, args] = [process.execPath, [`${process.cwd()}/server.mjs`]]
const mcpServers = { bees: { command, args } }
const textIn = (folder, pattern) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
const show = (name, stored) => console.log(`${name}: ${JSON.stringify(told)}, stored: ${stored}`)

settle('servers.json', { mcpServers })
await claude(address, '--mcp-config', 'servers.json', '--allowedTools', 'mcp__bees', '-p', 'Count them.')
const results = recordsIn('.claude/projects').flatMap(({ message }) => [message?.content ?? []].flat())
show('Claude Code', results.some(({ type, is_error }) => type === 'tool_result' && is_error) ? 'marked' : 'not marked')

told = undefined
const bee = { name: 'Bee', provider: 'anthropic', model: 'bee', apiBase: `${address}/v1/`, apiKey: 'no-key-at-all', roles: ['chat'] }
const servers = [{ name: 'bees', command, args }]
settle('.continue/config.yaml', { name: 'Bees', version: '1.0.0', schema: 'v1', models: [bee], mcpServers: servers })
await run('cn', ['-p', '--auto', 'Count them.'], { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' })
const session = textIn('.continue/sessions', /^[\da-f-]{36}\.json$/)
show('Continue CLI', [...session.matchAll(/"status": ?"(\w+)"/g)].map(([, status]) => status).join())

told = undefined
const settings = { provider: 'anthropic', apiKey: 'no-key-at-all', model: 'bee', baseUrl: address }
settle('.cline/data/settings/providers.json', {
  version: 1,
  lastUsedProvider: 'anthropic',
  modes: {},
  providers: { anthropic: { settings, updatedAt: '2026-11-30T00:00:00.000Z', tokenSource: 'manual' } },
})
settle('.cline/data/settings/cline_mcp_settings.json', { mcpServers })
await run('cline', ['-m', 'bee', 'Count them.'], { CI: '1' })
show('Cline CLI', /"is_error": ?true/.test(textIn('.cline/data/sessions', /messages\.json$/)) ? 'marked' : 'not marked')
close()
process.exit(0)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
pkill -f "$folder" || true
echo "$seen"
[ "$seen" = 'Claude Code: {"marked":true,"words":true,"flag":false}, stored: marked
Continue CLI: {"marked":false,"words":true,"flag":false}, stored: done
Cline CLI: {"marked":false,"words":true,"flag":true}, stored: not marked' ]
