#!/usr/bin/env bash
# Guess: a patch of Codex is applied as a whole or not at all. A hunk that does not fit indeed refuses all files before
# the first is written, and so a `FileChange` whose status is `failed` has changed nothing.
# Seen with Codex 0.171.0: where a file cannot be written, because its folder is a file, those before it stay written.
# The record is `failed` and lists all files with their changes. Nothing in it tells which of them happened, and neither
# does what the model is told, which names the last file alone. Who leaves out failed patches misses a change that is on
# disk; who counts them counts files that do not exist.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @openai/codex@0.171.0
cat >script.mjs <<'SCRIPT'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { codex, modelOnLoopback, recordsIn, responseMessage } from './model.mjs'

const first = ['*** Update File: hive.txt', '@@', '-three bees', '+six bees']
const patchOf = (...lines) => ['*** Begin Patch', ...first, ...lines, '*** End Patch', ''].join('\n')
const patches = [
  patchOf('*** Update File: comb.txt', '@@', '-no such line', '+wax'),
  patchOf('*** Add File: comb.txt/cell.txt', '+wax'),
]
writeFileSync('comb.txt', 'honey\n')
const hives = []
let told
for (const input of patches) {
  writeFileSync('hive.txt', 'three bees\n')
  const { address, close } = await modelOnLoopback((body, number) => {
    const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', status: 'completed', name: 'apply_patch' }
    if (number === 1) return { items: [{ ...call, input }] }
    told = body.input.at(-1).output
    return { items: [responseMessage({ type: 'output_text', text: 'Done.', annotations: [] })] }
  })
  await codex(address, '--dangerously-bypass-approvals-and-sandbox', 'Move the bees.')
  close()
  hives.push(readFileSync('hive.txt', 'utf8').trim())
  if (hives.length < 2) rmSync('.codex/sessions', { recursive: true })
}
const items = recordsIn('.codex/sessions').map(({ payload }) => payload.item)
const item = items.find((each) => each?.type === 'FileChange')
const changes = Object.entries(item.changes).map(([path, { type }]) => `${type} ${basename(path)}`).sort()
console.log(`a hunk that does not fit: the first file has "${hives[0]}"`)
console.log(`a file that cannot be written: ${item.status}, ${changes.join(', ')}; the first file has "${hives[1]}"`)
console.log(`the model is told of the first file: ${told.includes('hive.txt')}`)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'a hunk that does not fit: the first file has "three bees"
a file that cannot be written: failed, add cell.txt, update hive.txt; the first file has "six bees"
the model is told of the first file: false' ]
