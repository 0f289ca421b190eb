#!/usr/bin/env bash
# Guess: the one-shot rate, "the percentage of edit turns that succeeded without retries", leaves out turns in which no
# edit succeeded, and an edit that failed and was made again is a retry.
# Seen with codeburn 0.9.15 and Claude Code 2.1.332: results are not read. A turn whose only edit was declined, and one
# whose first edit failed and whose second went well, are two at the first try, 100 percent. A retry is only the same
# file edited again after a shell command. So misses and refusals never lower the rate, and `costPerEdit` counts turns
# that edited nothing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 codeburn@0.9.15
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { readFileSync, writeFileSync } from 'node:fs'
import { claude, modelOnLoopback, run, text } from './model.mjs'

const file_path = `${process.cwd()}/hive.txt`
writeFileSync(file_path, 'three bees\n')
const edit = (old_string) => ({ name: 'Edit', input: { file_path, old_string, new_string: 'six bees' } })
const done = { blocks: [text('Done.')] }
const read = { name: 'Read', input: { file_path } }
const replies = [read, edit('three bees'), done, read, edit('four bees'), edit('three bees'), done]
const { address, close } = await modelOnLoopback((_body, number) => {
  const reply = replies[number - 1]
  if (reply.blocks) return reply
  return { blocks: [{ type: 'tool_use', id: `toolu_${number}`, ...reply }], stop: 'tool_use' }
})
for (const tools of ['Read', 'Read,Edit']) {
  await claude(address, '-p', 'Count the bees.', '--allowedTools', tools)
  console.log(`after the turn: ${readFileSync(file_path, 'utf8').trim()}`)
}
close()
const report = JSON.parse((await run('codeburn', ['report', '--format', 'json'])).printed)
const { editTurns, oneShotTurns, oneShotRate } = report.models[0]
console.log(`turns with edits: ${editTurns}, at the first try: ${oneShotTurns}, ${oneShotRate} percent`)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'after the turn: three bees
after the turn: six bees
turns with edits: 2, at the first try: 2, 100 percent' ]
