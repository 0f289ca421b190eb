#!/usr/bin/env bash
# Guess: an edit whose old text is not in the file fails, as the tools themselves say ("must match exactly"), and what an
# edit has written is the new text of its call.
# Seen: four clients, four rules. OpenCode 1.18.33 takes other white space for the same, pi 1.6.0 other quotes and blanks
# at the end of a line, Claude Code 2.1.332 other quotes, Copilot CLI 1.0.102 all of these. Two change the new text as
# well: Copilot gives it the indentation of the file, Claude Code its quotes. OpenCode writes it as it is, spaces into a
# file with tabs. So neither text of a call need ever have been in the file: who looks for the line that a call wrote, or
# takes an edit back by its arguments, misses these edits, although the call was a success.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @earendil-works/pi-coding-agent@1.6.0 \
  @anthropic-ai/claude-code@2.1.332 @github/copilot@1.0.102 opencode-ai@1.18.33
for each in @anthropic-ai/claude-code/install.cjs opencode-ai/postinstall.mjs; do node "node_modules/$each" >/dev/null; done
cat >script.mjs <<'SCRIPT'
import { readFileSync, writeFileSync } from 'node:fs'
import { claude, copilot, hasTools, modelOnLoopback, opencode, pi, settleOpencode, text } from './model.mjs'

const path = `${process.cwd()}/hive.txt`
const edits = [
  { before: '\tbees hum\n', from: '    bees hum', to: '    bees sting' },
  { before: 'bees “hum”\n', from: 'bees "hum"', to: 'bees "sting"' },
  { before: 'bees hum   \nhives\n', from: 'bees hum\nhives', to: 'bees sting\nhives' },
]
const clients = {
  claude: {
    start: (address) => claude(address, '-p', 'Make them sting.', '--allowedTools', 'Read,Edit'),
    read: { name: 'Read', input: { file_path: path } },
    edit: ({ from, to }) => ({ name: 'Edit', input: { file_path: path, old_string: from, new_string: to } }),
  },
  copilot: {
    start: (address) => copilot(address, 'Make them sting.'),
    read: { name: 'view', input: { path } },
    edit: ({ from, to }) => ({ name: 'edit', input: { path, old_str: from, new_str: to } }),
  },
  opencode: {
    start(address) {
      settleOpencode(address)
      return opencode('run', '--auto', 'Make them sting.')
    },
    read: { name: 'read', input: { filePath: path } },
    edit: ({ from, to }) => ({ name: 'edit', input: { filePath: path, oldString: from, newString: to } }),
  },
  pi: {
    start: (address) => pi(address, 'Make them sting.'),
    read: { name: 'read', input: { path } },
    edit: ({ from, to }) => ({ name: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
  },
}
for (const [name, { start, read, edit }] of Object.entries(clients)) {
  const seen = []
  for (const each of edits) {
    writeFileSync(path, each.before)
    const calls = [read, edit(each)]
    const { address, close } = await modelOnLoopback((body) => {
      const call = hasTools(body) ? calls.shift() : undefined
      return call
        ? { blocks: [{ type: 'tool_use', id: `toolu_${calls.length}`, ...call }], stop: 'tool_use' }
        : { blocks: [text('Done.')] }
    })
    await start(address)
    close()
    const after = readFileSync(path, 'utf8')
    seen.push(after === each.before ? 'fails' : JSON.stringify(after))
  }
  console.log(`${name}: indentation ${seen[0]}, quotes ${seen[1]}, blanks at the end ${seen[2]}`)
}
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "$seen"
[ "$seen" = 'claude: indentation fails, quotes "bees “sting”\n", blanks at the end fails
copilot: indentation "\tbees sting\n", quotes "bees \"sting\"\n", blanks at the end "bees sting\nhives\n"
opencode: indentation "    bees sting\n", quotes fails, blanks at the end "bees sting\nhives\n"
pi: indentation fails, quotes "bees \"sting\"\n", blanks at the end "bees sting\nhives\n"' ]
