#!/usr/bin/env bash
# Guess: a streaming parser of JSON gives the values that `JSON.parse` gives, only sooner: a number too large for a double
# is rounded.
# Seen with JSONStream 1.3.5: such a number arrives as a string. One field is a number in some records and a string in
# others, as far as the values are large: sums of counts become text (`"7" + 1`), and a comparison of ids by `===` fails.
# stream-json 3.8.0 rounds as `JSON.parse` does. Transcripts have such numbers: times in nanoseconds, ids of channels.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 JSONStream@1.3.5 stream-json@3.8.0
cat >script.mjs <<'SCRIPT'
import { Readable } from 'node:stream'
import JSONStream from 'JSONStream'
import jsonl from 'stream-json/jsonl/parser.js'

const lines = ['{"at":1795912042344}\n', '{"at":1795912042344500123}\n']
const streamed = await new Promise((settle) => {
  const values = []
  Readable.from(lines)
    .pipe(JSONStream.parse())
    .on('data', (value) => values.push(value.at))
    .on('end', () => settle(values))
})
const parser = jsonl.asStream()
const assembled = await Readable.from(lines).pipe(parser).map(({ value }) => value.at).toArray()
console.log(JSON.stringify({ parsed: lines.map((line) => JSON.parse(line).at), JSONStream: streamed, 'stream-json': assembled }))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "a time in milliseconds and one in nanoseconds: $seen"
[ "$seen" = '{"parsed":[1795912042344,1795912042344500200],"JSONStream":[1795912042344,"1795912042344500123"],"stream-json":[1795912042344,1795912042344500200]}' ]
