#!/usr/bin/env bash
# Guess: `*** Add File` of a patch fails where the file exists, as creating one does in Copilot CLI, or is recorded as an
# update; `*** Move to` replaces no other file; and what a patch removed is in its record, as the content of a deleted
# file is.
# Seen with Codex 0.171.0: both replace the file without a word. The records are an `add` with the new content, and an
# `update` of the file that moved; what was in the files is nowhere below `.codex`. So a page shows a new file where one
# was lost, and an undo by the record deletes it. The printed events of `codex exec --json` do not name where a file
# moved, but only its old path, as updated, which is no longer there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0
cat >script.mjs <<'SCRIPT'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { codex, modelOnLoopback, recordsIn, responseMessage } from './model.mjs'

writeFileSync('hive.txt', 'notes of the old hive\n')
writeFileSync('queen.txt', 'notes of the old queen\n')
writeFileSync('swarm.txt', 'three bees\n')
const inputs = [
  ['*** Add File: hive.txt', '+six hives'],
  ['*** Update File: swarm.txt', '*** Move to: queen.txt', '@@', '-three bees', '+six bees'],
].map((lines) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'))
const { address, close } = await modelOnLoopback((_body, number) => {
  const input = inputs[number - 1]
  const ids = { id: `ctc_${number}`, call_id: `call_${number}` }
  const call = { type: 'custom_tool_call', ...ids, status: 'completed', name: 'apply_patch', input }
  return { items: [input ? call : responseMessage({ type: 'output_text', text: 'Done.', annotations: [] })] }
})
const { printed } = await codex(address, '--dangerously-bypass-approvals-and-sandbox', 'Tidy the notes.')
close()
const items = recordsIn('.codex/sessions').map(({ payload }) => payload.item)
for (const { status, changes } of items.filter((item) => item?.type === 'FileChange'))
  for (const [path, { type, move_path }] of Object.entries(changes))
    console.log(`${status}: ${type} ${basename(path)}${move_path ? ` to ${basename(move_path)}` : ''}`)
const events = printed.trim().split('\n').map((line) => JSON.parse(line))
const { item } = events.findLast(({ type, item }) => type === 'item.completed' && item.type === 'file_change')
for (const { kind, path } of item.changes)
  console.log(`printed: ${kind} ${basename(path)}, which is there: ${existsSync(path)}`)
console.log(`printed: where it moved: ${printed.includes('queen.txt')}`)
const paths = readdirSync('.codex', { recursive: true }).map((name) => `.codex/${name}`)
const files = paths.filter((path) => statSync(path).isFile())
console.log(`old notes stored: ${files.some((path) => readFileSync(path, 'latin1').includes('notes of the old'))}`)
console.log(`files: ${['hive.txt', 'queen.txt'].map((name) => readFileSync(name, 'utf8').trim()).join(', ')}`)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'completed: add hive.txt
completed: update swarm.txt to queen.txt
printed: update swarm.txt, which is there: false
printed: where it moved: false
old notes stored: false
files: six hives, six bees' ]
