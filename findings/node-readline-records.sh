#!/usr/bin/env bash
# Guess: `node:readline` splits JSON lines at the ends of lines that its documentation names (`\n`, `\r`, `\r\n`), so that a
# record that `JSON.stringify` wrote is one line.
# Seen with Node 24.21.0: it also splits at U+2028 and U+2029, which `JSON.stringify` writes as they are. A record with a
# paragraph pasted from a web page becomes two torn ones, and a reader that skips broken lines loses the message. The same
# holds for `readLines()` of `node:fs/promises`, which is readline; `split2` and a split at `\n` keep the record.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 split2@4.2.0
cat >script.mjs <<'SCRIPT'
import { createReadStream, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import split2 from 'split2'

const texts = ['plain', 'pasted\u2028words', 'two\u2029parts', 'last']
writeFileSync('records.jsonl', texts.map((text) => `${JSON.stringify({ text })}\n`).join(''))
async function read(lines) {
  const count = { lines: 0, records: 0 }
  for await (const line of lines) {
    count.lines++
    try {
      JSON.parse(line)
      count.records++
    } catch {}
  }
  return count
}
const file = await open('records.jsonl')
const seen = {
  version: process.version,
  readline: await read(createInterface({ input: createReadStream('records.jsonl') })),
  readLines: await read(file.readLines()),
  split2: await read(createReadStream('records.jsonl').pipe(split2())),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "lines of a file with four records, and how many of them are JSON: $seen"
[ "$seen" = '{"version":"v24.21.0","readline":{"lines":6,"records":2},"readLines":{"lines":6,"records":2},"split2":{"lines":4,"records":4}}' ]
