#!/usr/bin/env bash
# Guess: `structuredPatch`, which Claude Code stores with the result of Edit, is the change of the file, so that a patch tool
# can apply it or take it back.
# Seen with Claude Code 2.1.332: each tab at the beginning of a line is two spaces in it, although the file and the arguments
# beside it have tabs. The patch applies to no file with tabs (Go, Makefiles), and a search for the changed line fails in
# it. `oldString`, `newString` and `originalFile` are as they were: a reader has to compute the change from these.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 diff@9.0.0
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { applyPatch } from 'diff'

mkdirSync('work')
const file_path = `${process.cwd()}/work/hive.go`
const before = 'func hive() {\n\tif bees {\n\t\thum()\n\t}\n}\n'
writeFileSync(file_path, before)
const calls = [['Read', { file_path }], ['Edit', { file_path, old_string: '\t\thum()', new_string: '\t\tsting()' }]]
const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
let count = 0
const server = createServer((request, response) => {
  if (!request.url.startsWith('/v1/messages?')) return response.end('{}')
  const [name, input] = calls[count++] ?? []
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const message = { id: `msg_${count}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [], stop_reason: null, usage }
  send('message_start', { message })
  const block = name ? { type: 'tool_use', id: `toolu_${count}`, name, input: {} } : { type: 'text', text: '' }
  send('content_block_start', { index: 0, content_block: block })
  const delta = name ? { type: 'input_json_delta', partial_json: JSON.stringify(input) } : { type: 'text_delta', text: 'Done.' }
  send('content_block_delta', { index: 0, delta })
  send('content_block_stop', { index: 0 })
  send('message_delta', { delta: { stop_reason: name ? 'tool_use' : 'end_turn' }, usage })
  send('message_stop', {})
  request.resume().on('end', () => response.end())
})
await new Promise((settle) => server.listen(0, '127.0.0.1', settle))
const own = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`, ANTHROPIC_API_KEY: 'no-key-at-all' }
const env = { HOME: process.cwd(), PATH: process.env.PATH, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', ...own }
const words = ['-p', 'Make them sting.', '--allowedTools', 'Read,Edit']
await new Promise((settle) => execFile(`${env.HOME}/node_modules/.bin/claude`, words, { env, cwd: 'work', timeout: 60_000 }, settle).stdin.end())
server.close()
const folder = '.claude/projects'
const name = readdirSync(folder, { recursive: true }).find((each) => each.endsWith('.jsonl'))
const records = readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n').map((line) => JSON.parse(line))
const { structuredPatch: hunks, newString } = records.find(({ toolUseResult }) => toolUseResult?.structuredPatch).toolUseResult
const applied = applyPatch(before, { oldFileName: 'hive.go', newFileName: 'hive.go', hunks })
const added = hunks[0].lines.find((line) => line.startsWith('+'))
console.log(JSON.stringify({ newString, added, isInFile: readFileSync(file_path, 'utf8').includes(newString), applied }))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "the new text, the line of the patch, and what applying the patch gives: $seen"
[ "$seen" = '{"newString":"\t\tsting()","added":"+    sting()","isInFile":true,"applied":false}' ]
