#!/usr/bin/env bash
# Guess: the page that `pi --export` makes of a session contains its words, as a page with scripts does, at least as JSON: a
# search finds them, and what must not be passed on can be looked for before it is.
# Seen with pi 1.6.0: the session is one Base64 text, which a script of the page decodes. No word of it is in the file: neither
# prompts nor replies nor output of commands, and no title. Search in files, in mail and on a web site finds no session, the
# text of the page without scripts is empty, and a check for names or keys passes a page that has them. The page has every
# record of the session, its directory included.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 @earendil-works/pi-coding-agent@1.6.0
cat >script.mjs <<'SCRIPT'
import { readFileSync, readdirSync } from 'node:fs'
import { modelOnLoopback, pi, run, shellCall, text } from './model.mjs'

const { address, close, requests } = await modelOnLoopback((body) =>
  requests() > 1 ? { blocks: [text('Three hives hum.')] } : { blocks: [shellCall(body, 'echo north $((40 + 2))')], stop: 'tool_use' },
)
await pi(address, 'Where is the old queen?')
close()
const sessions = '.pi/agent/sessions'
const name = readdirSync(sessions, { recursive: true }).find((each) => each.endsWith('.jsonl'))
const transcript = readFileSync(`${sessions}/${name}`, 'utf8')
await run('pi', ['--export', `${sessions}/${name}`, 'page.html'], { PI_OFFLINE: '1', PI_TELEMETRY: '0' })
const page = readFileSync('page.html', 'utf8')
const packed = /id="session-data"[^>]*>([^<]+)</.exec(page)[1]
const words = ['Where is the old queen?', 'Three hives hum.', 'north 42', process.cwd()]
const count = (all) => words.filter((each) => all.includes(each)).length
const unpacked = Buffer.from(packed, 'base64').toString()
console.log(`of ${words.length}: transcript ${count(transcript)}, page ${count(page)}, decoded ${count(unpacked)}`)
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node script.mjs)
echo "prompt, reply, output and directory: $seen"
[ "$seen" = 'of 4: transcript 4, page 0, decoded 4' ]
