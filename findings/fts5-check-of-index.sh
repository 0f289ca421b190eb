#!/usr/bin/env bash
# Guess: `integrity-check` of an FTS5 table with external content compares the index with that content, and
# `PRAGMA integrity_check`, which covers virtual tables, does so too.
# Seen with SQLite 3.53.4 (in Node 24.21.0): both say `ok` for an index that finds a word that no row has any more and does
# not find the one that replaced it. Only `integrity-check` with rank 1 compares, and fails. And a query for a row whose
# content was deleted counts it, lists its rowid, but throws as soon as a column is selected. A search that is trusted
# because its database was checked can miss messages.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0
cat >script.mjs <<'SCRIPT'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(':memory:')
database.exec(`
  create table messages (id integer primary key, text);
  insert into messages values (1, 'honey'), (2, 'wax');
  create virtual table words using fts5(text, content='messages', content_rowid='id');
  insert into words(words) values ('rebuild');
  update messages set text = 'propolis' where id = 1;
`)
function tried(act) {
  try {
    return act() ?? 'ok'
  } catch (error) {
    return error.message
  }
}
const found = (columns, word) => tried(() => Object.values(database.prepare(`select ${columns} from words where words match ?`).get(word))[0])
const seen = {
  pragma: database.prepare('pragma integrity_check').get().integrity_check,
  check: tried(() => database.exec("insert into words(words) values ('integrity-check')")),
  checkWithRank: tried(() => database.exec("insert into words(words, rank) values ('integrity-check', 1)")),
  old: found('text', 'honey'),
  new: found('count(*)', 'propolis'),
}
database.exec('delete from messages where id = 2')
Object.assign(seen, { deletedCount: found('count(*)', 'wax'), deletedText: found('text', 'wax') })
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "checks of a stale index, and what it finds: $seen"
wrong="fts5: checksum mismatch for table \\\"words\\\""
gone="fts5: missing row 2 from content table 'main'.'messages'"
[ "$seen" = "{\"pragma\":\"ok\",\"check\":\"ok\",\"checkWithRank\":\"$wrong\",\"old\":\"propolis\",\"new\":0,\"deletedCount\":1,\"deletedText\":\"$gone\"}" ]
