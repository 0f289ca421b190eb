#!/usr/bin/env bash
# Guess: a transcript of Cline CLI has what the person typed, inside the tag that the client puts around it; and the
# `editor` tool inserts the text that the model gave.
# Seen with Cline CLI 3.0.65: tags `<user_input>` that a person typed themselves, because they ask about a log of Cline,
# are taken out of `messages.json`, which has the words between them as if nobody had marked them; what was typed stands
# in the manifest of the session alone. And a text that ends with a line feed is inserted with an empty line behind it,
# while the result calls that one insertion: who applies the calls of a transcript to a file gets another file.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 cline@3.0.65
cat >script.mjs <<'SCRIPT'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelOnLoopback, run, settle, text } from './model.mjs'

const path = `${process.cwd()}/hive.txt`
writeFileSync(path, 'one\ntwo\n')
const { address, close } = await modelOnLoopback((_body, number) =>
  number === 1
    ? {
        blocks: [
          {
            type: 'tool_use',
            id: 'toolu_1',
            name: 'editor',
            input: { path, new_text: 'between\n', insert_line: 2 },
          },
        ],
        stop: 'tool_use',
      }
    : { blocks: [text('Done.')] },
)
const settings = { provider: 'anthropic', apiKey: 'no-key-at-all', model: 'claude-script-1', baseUrl: address }
settle('.cline/data/settings/providers.json', {
  version: 1,
  lastUsedProvider: 'anthropic',
  modes: {},
  providers: { anthropic: { settings, updatedAt: '2026-11-30T00:00:00.000Z', tokenSource: 'manual' } },
})
const typed = 'What is <user_input>a bee</user_input> in this log?'
await run('cline', ['-m', 'claude-script-1', typed], { CI: '1' })
close()
const sessions = '.cline/data/sessions'
const files = readdirSync(sessions, { recursive: true }).filter((name) => name.endsWith('.json'))
const has = (end, words) =>
  files
    .filter((name) => name.endsWith('.messages.json') === end)
    .some((name) => readFileSync(join(sessions, name), 'utf8').includes(JSON.stringify(words).slice(1, -1)))
console.log(`what was typed is in the messages: ${has(true, typed)}; in the manifest: ${has(false, typed)}`)
console.log(`the words without the tags are in the messages: ${has(true, 'What is a bee in this log?')}`)
console.log(`the file: ${JSON.stringify(readFileSync(path, 'utf8'))}`)
process.exit(0)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
pkill -f "$folder" || true
echo "$seen"
[ "$seen" = 'what was typed is in the messages: false; in the manifest: true
the words without the tags are in the messages: true
the file: "one\nbetween\n\ntwo\n"' ]
