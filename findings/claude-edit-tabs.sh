#!/usr/bin/env bash
# Guess: `structuredPatch`, which Claude Code stores with the result of Edit, is the change of the file, so that a patch tool
# can apply it or take it back.
# Seen with Claude Code 2.1.332: each tab at the beginning of a line is two spaces in it, although the file and the arguments
# beside it have tabs. The patch applies to no file with tabs (Go, Makefiles), and a search for the changed line fails in
# it. `oldString`, `newString` and `originalFile` are as they were: a reader has to compute the change from these.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 diff@9.0.0
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { readFileSync, writeFileSync } from 'node:fs'
import { applyPatch } from 'diff'
import { claude, modelOnLoopback, recordsIn, text } from './model.mjs'

const file_path = `${process.cwd()}/hive.go`
const before = 'func hive() {\n\tif bees {\n\t\thum()\n\t}\n}\n'
writeFileSync(file_path, before)
const calls = [
  { name: 'Read', input: { file_path } },
  { name: 'Edit', input: { file_path, old_string: '\t\thum()', new_string: '\t\tsting()' } },
].map((call, index) => ({ blocks: [{ type: 'tool_use', id: `toolu_${index}`, ...call }], stop: 'tool_use' }))
const { address, close } = await modelOnLoopback((_body, number) => calls[number - 1] ?? { blocks: [text('Done.')] })
await claude(address, '-p', 'Make them sting.', '--allowedTools', 'Read,Edit')
close()
const { toolUseResult } = recordsIn('.claude/projects').find((record) => record.toolUseResult?.structuredPatch)
const { structuredPatch: hunks, newString } = toolUseResult
const seen = {
  newString,
  added: hunks[0].lines.find((line) => line.startsWith('+')),
  isInFile: readFileSync(file_path, 'utf8').includes(newString),
  applied: applyPatch(before, { oldFileName: 'hive.go', newFileName: 'hive.go', hunks }),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "the new text, the line of the patch, and what applying the patch gives: $seen"
[ "$seen" = '{"newString":"\t\tsting()","added":"+    sting()","isInFile":true,"applied":false}' ]
