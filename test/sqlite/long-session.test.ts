import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discover } from '../../src/collect/discover.ts'
import { readIncrement } from '../../src/collect/index/read-increment.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { StoredState } from '../../src/store/state-bytes.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { claudeAt, contentOfAll, freshIndex, secondConnection } from '../store-audit.ts'
import { keep } from '../stores.ts'

const KB = 1024
const TABLES = ['fold', 'fold_part', 'message', 'occurrence', 'usage', 'heard', 'sent'] as const

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

  /** The rows and bytes that reading one more record takes. */
  function costOf(record: object) {
    appendFileSync(path, `${JSON.stringify(record)}\n`)
    database.exec('DELETE FROM work')
    const known = store.known().get(path)!
    const stored = store.state(known.id)!
    let read = stored.head.length
    const state: StoredState = {
      head: stored.head,
      part(name) {
        const part = stored.part(name)
        read += part?.length ?? 0
        return part
      },
    }
    const { increment, bytes } = readIncrement({ artifact: artifact(), base: { ...known, state } })
    expect(store.write([{ increment, state: bytes }])).toEqual([])
    const { messages, prompts, left, heard, usages } = increment
    const rows = Number(database.prepare('SELECT count(*) AS rows FROM work').get()!.rows)
    const listed = [messages, prompts!, left, heard!, usages].reduce((sum, list) => sum + list.length, 0)
    return { rows, listed, read, written: bytes.length }
  }
  return { store, environment, database, artifact, path, costOf, close: () => store.close() }
}

describe('a further line of a long session', () => {
  it.each([8000, 32_000])('reads and writes no more than a few parts of the state: %i lines', (lines) => {
    const session = longSession(lines)
    const next = round(lines + 1)
    for (const record of next) {
      const { rows, listed, read, written } = session.costOf(record)
      expect(listed).toBeLessThanOrEqual(3)
      expect(rows).toBeLessThanOrEqual(25)
      expect(read).toBeLessThan(150 * KB)
      expect(written).toBeLessThan(150 * KB)
    }
    expect(contentOfAll(session.store)).toEqual(contentOfAll(freshIndex(session.environment)))
    session.close()
  })

  it('may change all of them if it goes back to an earlier turn', () => {
    const session = longSession(8000)
    expect(session.costOf(claude.user(9001, 'Once more', { parentUuid: uuid(4) })).listed).toBeGreaterThan(
      4000,
    )
    expect(session.costOf(claude.reply(9002, [text('Yes')], { parentUuid: uuid(9001) })).listed).toBeLessThan(
      4,
    )
    expect(contentOfAll(session.store)).toEqual(contentOfAll(freshIndex(session.environment)))
    session.close()
  })
})

describe('a state of which a part is damaged', () => {
  it.each([
    ['missing', 'DELETE FROM fold_part'],
    ['damaged', "UPDATE fold_part SET state = x'0011'"],
    ['without its head', "UPDATE fold SET state = x'0011223344'"],
  ])('is discarded, and the file is read again: %s', (_, statement) => {
    const session = longSession(4000)
    session.database.exec(statement)
    session.costOf(claude.user(4001, 'One more'))
    expect(contentOfAll(session.store)).toEqual(contentOfAll(freshIndex(session.environment)))
    session.close()
  })
})
