#!/usr/bin/env bash
# Guess: the last program that closes an SQLite database moves the `-wal` into it, so once a client has ended, its database is one
# file, which a backup or a viewer can copy.
# Seen with OpenCode 1.18.33 and Codex 0.171.0: they end without closing. After a first run, the copied file has no table at all;
# after each further one it lacks the newest session, which only the `-wal` has. Who copies `*.db` alone loses it and is not told,
# because the copy is a valid database. Scrollback reads both files.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$here/model.mjs" .
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0 opencode-ai@1.18.33 @openai/codex@0.171.0
node node_modules/opencode-ai/postinstall.mjs >/dev/null
cat >script.mjs <<'SCRIPT'
import { copyFileSync, readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { codex, modelOnLoopback, opencode, responseMessage, settleOpencode, text } from './model.mjs'

const { address, close } = await modelOnLoopback(() => ({
  blocks: [text('Three hives.')],
  items: [responseMessage({ type: 'output_text', text: 'Three hives.', annotations: [] })],
}))
settleOpencode(address)

/** The rows of a table in a copy of the file, and in the database itself. */
function rows(path, table) {
  copyFileSync(path, 'copy.db')
  return ['copy.db', path].map((each) => {
    const database = new DatabaseSync(each, { readOnly: true })
    const isThere = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)
    const count = isThere ? database.prepare(`SELECT count(*) AS n FROM ${table}`).get().n : 'no table'
    database.close()
    return count
  })
}

const seen = { opencode: [], codex: [] }
for (const prompt of ['Count the hives.', 'Count the bees.']) {
  await opencode('run', '--auto', prompt)
  seen.opencode.push(rows('.local/share/opencode/opencode.db', 'session'))
}
await codex(address, 'Count the hives.')
const state = readdirSync('.codex').find((name) => /^state_\d+\.sqlite$/.test(name))
seen.codex.push(rows(`.codex/${state}`, 'threads'))
close()
console.log(JSON.stringify(seen))
SCRIPT
seen=$(PATH=$PWD/node_modules/.bin:$PATH node --no-warnings script.mjs)
echo "sessions in a copy of the file, and in the database, after each run: $seen"
[ "$seen" = '{"opencode":[["no table",1],[1,2]],"codex":[["no table",1]]}' ]
