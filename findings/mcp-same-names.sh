#!/usr/bin/env bash
# Guess: the name of a tool in a transcript tells which MCP server was called, and the tools of two servers are two tools.
# Seen, with the servers `tea.pot` and `tea_pot`, each with a tool `count`: Copilot CLI 1.0.102 and Cline CLI 3.0.65 keep two
# names; Cline's have a hash for the server that starts last. Claude Code 2.1.332 and OpenCode 1.18.33 make the same name of
# both and offer one tool without a word; in OpenCode, which server has it differs from start to start. Continue CLI 1.5.47
# leaves the server out of the name, whatever it is: with the servers `tea` and `pot`, it offers `count` twice, and one server
# answers both. Who counts calls by server, or reads what a server was asked, counts and reads another one's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 \
  opencode-ai@1.18.33 @continuedev/cli@1.5.47 cline@3.0.65
for each in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$each" >/dev/null; done
cat >server.mjs <<'SERVER'
import { createInterface } from 'node:readline'
const [, , name] = process.argv
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name, version: '1.0.0' } },
  'tools/list': { tools: [{ name: 'count', description: 'Counts pots', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content: [{ type: 'text', text: `Asked: <${name}>` }] },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }))
})
SERVER
cat >script.mjs <<'SCRIPT'
import { claude, copilot, modelOnLoopback, opencode, run, settle, settleOpencode, text } from './model.mjs'

let offered = []
let asked = []
const { address, close } = await modelOnLoopback(({ tools = [], messages }) => {
  const names = tools.map(({ name }) => name).filter((name) => name.endsWith('count') || /count_[\da-f]+$/.test(name))
  const results = [messages.at(-1).content].flat().filter(({ type }) => type === 'tool_result')
  if (names.length === 0 || results.length > 0) {
    asked = results.map((result) => /<([^>]*)>/.exec(JSON.stringify(result))?.[1])
    return { blocks: [text('Done.')] }
  }
  offered = names
  return { blocks: names.map((name, at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input: {} })), stop: 'tool_use' }
})
const serversOf = (names) =>
  Object.fromEntries(names.map((name) => [name, { command: process.execPath, args: [`${process.cwd()}/server.mjs`, name] }]))
const servers = serversOf(['tea.pot', 'tea_pot'])
const each = (change) => Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, change(server)]))
// In Cline CLI, the server that starts last has a hash in its name.
const shown = () => offered.map((name) => name.replace(/_[\da-f]{8}$/, '_#')).sort()
const show = (name) => console.log(`${name}: ${shown().join(' ')}; asked ${new Set(asked).size} of 2`)

settle('servers.json', { mcpServers: servers })
await claude(address, '--mcp-config', 'servers.json', '--allowedTools', 'mcp__tea_pot', '-p', 'Count them.')
show('Claude Code')

settle('.copilot/mcp-config.json', { mcpServers: each((server) => ({ type: 'local', tools: ['*'], ...server })) })
await copilot(address, 'Count them.')
show('Copilot CLI')

settleOpencode(address, each(({ command, args }) => ({ type: 'local', command: [command, ...args] })))
await opencode('run', '--auto', 'Count them.')
show('OpenCode')

const settings = { provider: 'anthropic', apiKey: 'no-key-at-all', model: 'bee', baseUrl: address }
settle('.cline/data/settings/providers.json', {
  version: 1,
  lastUsedProvider: 'anthropic',
  modes: {},
  providers: { anthropic: { settings, updatedAt: '2026-11-30T00:00:00.000Z', tokenSource: 'manual' } },
})
settle('.cline/data/settings/cline_mcp_settings.json', { mcpServers: servers })
await run('cline', ['-m', 'bee', 'Count them.'], { CI: '1' })
show('Cline CLI')

const bee = { name: 'Bee', provider: 'anthropic', model: 'bee', apiBase: `${address}/v1/`, apiKey: 'no-key-at-all', roles: ['chat'] }
const mcpServers = Object.entries(serversOf(['tea', 'pot'])).map(([name, server]) => ({ name, ...server }))
settle('.continue/config.yaml', { name: 'Pots', version: '1.0.0', schema: 'v1', models: [bee], mcpServers })
await run('cn', ['-p', '--auto', 'Count them.'], { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' })
show('Continue CLI, with the servers tea and pot')
close()
process.exit(0)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
pkill -f "$folder" || true
echo "$seen"
[ "$seen" = 'Claude Code: mcp__tea_pot__count; asked 1 of 2
Copilot CLI: tea-pot-count tea_pot-count; asked 2 of 2
OpenCode: tea_pot_count; asked 1 of 2
Cline CLI: tea_pot__count tea_pot__count_#; asked 2 of 2
Continue CLI, with the servers tea and pot: count count; asked 1 of 2' ]
