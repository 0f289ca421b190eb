#!/usr/bin/env bash
# Guess: a tool that undoes what Claude Code did lists the calls that did something; one that was declined did not.
# Seen with ccundo 1.1.1 and Claude Code 2.1.332: it reads calls alone, no results. A declined Write is a file that was
# created, and undoing it deletes the file that was there before and never changed (a copy stays in `.ccundo`). An Edit
# whose old text was not found is listed as well. The results in the transcript tell both: `is_error`, and
# `toolDenialKind` for what was declined, which is `user-rejected` in print mode, too, where nobody was asked.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# Without a dot, which ccundo leaves in the name of a project's folder, and Claude Code does not.
folder=$(mktemp -d -t hiveXXXXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @anthropic-ai/claude-code@2.1.332 ccundo@1.1.1
node node_modules/@anthropic-ai/claude-code/install.cjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { existsSync, writeFileSync } from 'node:fs'
import { claude, modelOnLoopback, recordsIn, run, text } from './model.mjs'

const file_path = `${process.cwd()}/notes.txt`
writeFileSync(file_path, 'three hives\n')
const calls = [
  { name: 'Read', input: { file_path } },
  { name: 'Edit', input: { file_path, old_string: 'no such hive', new_string: 'six hives' } },
  { name: 'Write', input: { file_path, content: 'no hives\n' } },
].map((call, index) => ({ blocks: [{ type: 'tool_use', id: `toolu_${index}`, ...call }], stop: 'tool_use' }))
const { address, close } = await modelOnLoopback((_body, number) => calls[number - 1] ?? { blocks: [text('Done.')] })
// Print mode declines what it was not allowed.
await claude(address, '-p', 'Tidy the notes.', '--allowedTools', 'Read')
close()
for (const { message, toolDenialKind = 'none' } of recordsIn('.claude/projects').filter((record) => record.toolUseResult)) {
  const [{ tool_use_id, is_error = false }] = message.content
  console.log(`${tool_use_id}: error ${is_error}, denial ${toolDenialKind}`)
}
const { printed } = await run('ccundo', ['list'])
console.log(`listed: ${[...printed.matchAll(/\[ACTIVE\] (\w+)/g)].map(([, kind]) => kind).join(', ')}`)
console.log(`the notes are there: ${existsSync(file_path)}`)
await run('ccundo', ['undo', '--yes', 'toolu_2'])
console.log(`after the undo: ${existsSync(file_path)}`)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'toolu_0: error false, denial none
toolu_1: error true, denial none
toolu_2: error true, denial user-rejected
listed: file_edit, file_create
the notes are there: true
after the undo: false' ]
