#!/usr/bin/env bash
# Guess: a call of Copilot CLI whose result has a diff (`detailedContent`, with a `diff --git` header) has changed a
# file, and a diff that creates a file is one of git.
# Seen with Copilot CLI 1.0.102 and parse-diff 0.12.0: reading a file has a diff as well, whose lines are all unchanged
# and whose headers are those of a change, with one more, empty line than the file has. Creating one has `create file
# mode` and `a/dev/null`: for a parser, a change of a file `dev/null`. That its last line has no end is lost. So who
# counts files by the diffs of a transcript counts each file that was read, and none as new. `fileEdits` beside the
# result has it right.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @github/copilot@1.0.102 parse-diff@0.12.0
cat >script.mjs <<'SCRIPT'
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import parse from 'parse-diff'
import { copilot, modelOnLoopback, recordsIn, text } from './model.mjs'

const [hive, comb] = ['hive.txt', 'comb.txt'].map((name) => `${process.cwd()}/${name}`)
writeFileSync(hive, 'one bee\ntwo bees\n')
const calls = [
  { name: 'view', input: { path: hive } },
  { name: 'edit', input: { path: hive, old_str: 'two bees', new_str: 'six bees' } },
  { name: 'create', input: { path: comb, file_text: 'wax\nhoney' } },
]
const { address, close } = await modelOnLoopback((_body, number) =>
  calls[number - 1]
    ? { blocks: [{ type: 'tool_use', id: `toolu_${number}`, ...calls[number - 1] }], stop: 'tool_use' }
    : { blocks: [text('Done.')] },
)
await copilot(address, 'Count the bees.')
close()
const results = recordsIn('.copilot/session-state').filter(({ type }) => type === 'tool.execution_complete')
for (const [index, { data }] of results.entries()) {
  const [file] = parse(data.result.detailedContent)
  const { from, to, additions, deletions, chunks } = file
  const lines = chunks.flatMap(({ changes }) => changes)
  const kind = file.new ? 'new' : 'changed'
  const names = [from, to].map((name) => basename(name)).join(' to ')
  const stated = (data.fileEdits ?? []).map((each) => each.kind).join() || 'none'
  console.log(
    `${calls[index].name}: ${kind}, ${names}, +${additions} -${deletions} of ${lines.length} lines; fileEdits: ${stated}`,
  )
}
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'view: changed, hive.txt to hive.txt, +0 -0 of 3 lines; fileEdits: none
edit: changed, hive.txt to hive.txt, +1 -1 of 4 lines; fileEdits: edit
create: changed, null to comb.txt, +2 -0 of 2 lines; fileEdits: create' ]
