import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { asTime } from '../../src/model/json.ts'
import { temporaryHome } from '../records.ts'
import { freshIndex } from '../store-audit.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
/** All trees of all platforms. */
const TREES = readdirSync(FIXTURES).flatMap((platform) =>
  readdirSync(join(FIXTURES, platform)).map((name) => join(platform, name)),
)

/** A number that is a time in ms, in JSON. */
const MOMENT = /(?<=[:[,] ?)(1[5-9]\d{8})\d{3}(?=[\s,}\]])/g
const inSeconds = (text: string): string => text.replace(MOMENT, '$1')

/** Writes all times in seconds. Returns whether there were any. */
function writeInSeconds(folder: string): boolean {
  let found = false
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (!statSync(path).isFile()) continue
    if (readFileSync(path, 'latin1').startsWith('SQLite format 3')) found = rowsInSeconds(path) || found
    else if (/\.(?:jsonl?|txt)$/.test(name)) {
      const text = readFileSync(path, 'latin1')
      const changed = inSeconds(text)
      writeFileSync(path, changed, 'latin1')
      found ||= changed !== text
    }
  }
  return found
}

function rowsInSeconds(path: string): boolean {
  const database = new DatabaseSync(path)
  let found = false
  for (const { name: table } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
    for (const { name: column } of database.prepare(`PRAGMA table_info(${table})`).all())
      for (const { id, value } of database
        .prepare(`SELECT rowid AS id, "${column}" AS value FROM ${table}`)
        .all()) {
        if (value === null || value instanceof Uint8Array) continue
        const changed =
          typeof value === 'number' && value > 1e12 ? Math.floor(value / 1000) : inSeconds(String(value))
        if (String(changed) === String(value)) continue
        database.prepare(`UPDATE ${table} SET "${column}" = ? WHERE rowid = ?`).run(changed, id!)
        found = true
      }
  database.close()
  return found
}

const second = (at: number | undefined): number | undefined => at && Math.floor(at / 1000)

/** When everything was said, to the second. */
function momentsIn(home: string) {
  const store = freshIndex({ home, variables: {} })
  const moments = store.sessions().map(({ session: { id, path, startedMs } }) => ({
    id,
    started: second(startedMs),
    items: store.messages(path).map(({ at }) => second(at)),
  }))
  store.close()
  return moments.sort((one, other) => (one.id < other.id ? -1 : 1))
}

describe('a time in seconds, where the platform writes milliseconds,', () => {
  it('is that time', () => {
    expect([1_795_132_801, 1_795_132_801.25, 1_795_132_801_000].map(asTime)).toEqual([
      ...[1_795_132_801_000, 1_795_132_801_250, 1_795_132_801_000],
    ])
    expect([0, -1, Number.NaN, 'soon', null].map(asTime)).toEqual(Array(5).fill(undefined))
    expect(asTime('2026-11-20T00:00:01Z')).toBe(1_795_132_801_000)
  })

  it.each(TREES)('is read as one in every record: %s', (tree) => {
    const [home, other] = [temporaryHome(), temporaryHome()]
    for (const each of [home, other]) cpSync(join(FIXTURES, tree), each, { recursive: true })
    if (!writeInSeconds(other)) return
    expect(momentsIn(other)).toEqual(momentsIn(home))
  })
})
