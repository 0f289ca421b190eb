#!/usr/bin/env bash
# Guess: ClickHouse's type `JSON`, which is meant for logs, gives back a record as it was, but for order and white space.
# Seen with chdb 3.4.0 (ClickHouse 26.7): a time loses its `T` and `Z` and gets nine decimals, null and an empty object are
# gone, and a key `a.b` becomes an object `a` with `b`. A record that has a key twice, or an integer of more than 64 bits, is
# refused with an error. So a transcript in such a column cannot be read back by a reader of the client's format; a text
# column with `JSONExtract` keeps it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 chdb@3.4.0
cat >script.mjs <<'SCRIPT'
import { query } from 'chdb'

function stored(json) {
  try {
    return JSON.parse(query(`select '${json}'::JSON as record`, 'JSONEachRow')).record
  } catch (error) {
    return /\bCode: \d+/.exec(error.message)?.[0]
  }
}
const seen = {
  time: stored('{"at":"2026-11-20T10:00:00.123Z"}'),
  empty: stored('{"parent":null,"input":{},"output":[],"kept":1}'),
  dot: stored('{"user.name":"bee"}'),
  large: stored('{"id":12345678901234567890123}'),
  twice: stored('{"id":1,"id":2}'),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "records that went through the type JSON: $seen"
[ "$seen" = '{"time":{"at":"2026-11-20 10:00:00.123000000"},"empty":{"kept":1,"output":[]},"dot":{"user":{"name":"bee"}},"large":"Code: 117","twice":"Code: 117"}' ]
