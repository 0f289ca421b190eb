import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discover } from '../../src/collect/discover.ts'
import { readIncrement } from '../../src/collect/index/read-increment.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { append, call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt, contentOfAll, freshIndex, secondConnection } from '../store-audit.ts'
import { keep } from '../stores.ts'

const TABLES = ['message', 'occurrence', 'usage', 'heard', 'sent'] as const

/** A prompt, a reply with a tool call, its result, and a reply with a text. */
const round = (number: number): object[] => [
  claude.user(number, `Question ${number}`),
  claude.reply(number + 1, [call(`toolu_${number}`, 'Bash', { command: `ls ${number}` })]),
  claude.result(number + 2, `toolu_${number}`, 'a leaf'),
  claude.reply(number + 3, [text(`Answer ${number}`)]),
]

/** A store with a session of so many lines, which counts what a further line costs. */
function longSession(lines: number) {
  const home = temporaryHome()
  const path = putClaude(
    home,
    uuid(0),
    Array.from({ length: lines / 4 }, (_, index) => round(4 * index + 1)).flat(),
  )
  const environment = claudeAt(join(home, '.claude'))
  const artifact = () => discover(environment).artifacts[0]!
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  keep(store, artifact())
  const database = secondConnection(store)
  const kinds = TABLES.flatMap((table) => ['INSERT', 'UPDATE', 'DELETE'].map((kind) => ({ table, kind })))
  database.exec('CREATE TABLE work (kind TEXT)')
  for (const { table, kind } of kinds)
    database.exec(`CREATE TRIGGER ${table}_${kind} AFTER ${kind} ON ${table}
      BEGIN INSERT INTO work VALUES ('${kind} ${table}'); END`)

  /** How many rows are written when the session has one more record. */
  function costOf(record: object): number {
    append(path, record)
    database.exec('DELETE FROM work')
    const { increment } = readIncrement({ artifact: artifact(), base: store.known().get(path) })
    expect(store.write([increment])).toEqual([])
    return Number(database.prepare('SELECT count(*) AS rows FROM work').get()!.rows)
  }
  return { store, environment, database, artifact, path, costOf, close: () => store.close() }
}

describe('a further line of a long session', () => {
  it.each([800, 8000])('writes only the rows that differ: %i lines', (lines) => {
    const session = longSession(lines)
    for (const record of round(lines + 1)) expect(session.costOf(record)).toBeLessThanOrEqual(10)
    expect(contentOfAll(session.store)).toEqual(contentOfAll(freshIndex(session.environment)))
    session.close()
  })

  it('may change all of them if it goes back to an earlier turn', () => {
    const session = longSession(8000)
    expect(session.costOf(claude.user(9001, 'Once more', { parentUuid: uuid(4) }))).toBeGreaterThan(3000)
    expect(session.costOf(claude.reply(9002, [text('Yes')], { parentUuid: uuid(9001) }))).toBeLessThan(10)
    expect(contentOfAll(session.store)).toEqual(contentOfAll(freshIndex(session.environment)))
    session.close()
  })
})
