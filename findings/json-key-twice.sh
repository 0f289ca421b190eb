#!/usr/bin/env bash
# Guess: a JSON object that has a key twice means the same everywhere: the last value, as `JSON.parse` has it.
# Seen with Node 24.21.0 (SQLite 3.53.4): `json_extract` and `->>` of SQLite return the first one, `json_set` changes the
# first and leaves the second, `json_each` lists both, and `json_patch` keeps both. So a record that SQLite reads in a
# query and JavaScript reads after it differ, and an update in SQL is invisible to JavaScript. Arguments of calls are
# text that a model wrote, which is where this occurs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0
cat >script.mjs <<'SCRIPT'
import { DatabaseSync } from 'node:sqlite'

const record = '{"path":"first.txt","path":"last.txt"}'
const database = new DatabaseSync(':memory:')
const one = (query) => Object.values(database.prepare(query).get({ record }))[0]
const changed = one("select json_set(:record, '$.path', 'new.txt')")
const seen = {
  sqlite: one('select sqlite_version() from (select :record)'),
  parsed: JSON.parse(record).path,
  extracted: one("select json_extract(:record, '$.path')"),
  each: one('select group_concat(value) from json_each(:record)'),
  changedInSql: JSON.parse(changed).path,
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "the value of a key that is there twice: $seen"
[ "$seen" = '{"sqlite":"3.53.4","parsed":"last.txt","extracted":"first.txt","each":"first.txt,last.txt","changedInSql":"last.txt"}' ]
