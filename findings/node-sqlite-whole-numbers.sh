#!/usr/bin/env bash
# Guess: `node:sqlite` hands a whole number such as 7 to SQLite as an integer, since SQLite has that type.
# Seen with Node 24.21.0: every number is bound as a float. A column with an integer type hides that, because it converts;
# everything else does not: `'line ' || ?` is `line 7.0`, JSON gets `7.0`, and a full-text index of it has the words 7
# and 0. A BigInt is bound as an integer. So names and keys that a query makes from the number of a line or a
# record (`path#7`) do not equal those that JavaScript makes, and nothing fails: the row is just not found.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0
cat >script.mjs <<'SCRIPT'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(':memory:')
database.exec('create table hives (count integer, name text)')
database.exec("insert into hives values (7, 'hive#7')")
database.exec('create virtual table words using fts5(text)')
database.prepare('insert into words values (?)').run(7)
const one = (query, value) => Object.values(database.prepare(query).get(value))[0]
const seen = {
  version: process.version,
  type: one('select typeof(?)', 7),
  joined: one("select 'line ' || ?", 7),
  json: one("select json_object('line', ?)", 7),
  foundByNought: one('select count(*) from words where words match ?', '0'),
  byColumn: one('select count(*) from hives where count = ?', 7),
  byName: one("select count(*) from hives where name = 'hive#' || ?", 7),
  byNameOfBigInt: one("select count(*) from hives where name = 'hive#' || ?", 7n),
}
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "the number 7 as a parameter, and rows that it finds: $seen"
[ "$seen" = '{"version":"v24.21.0","type":"real","joined":"line 7.0","json":"{\"line\":7.0}","foundByNought":1,"byColumn":1,"byName":0,"byNameOfBigInt":1}' ]
