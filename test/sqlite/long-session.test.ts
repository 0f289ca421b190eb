import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../src/store/increment.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { discover } from '../../src/sync/discover.ts'
import { type FoldedFile, readIncrement } from '../../src/sync/read-increment.ts'
import { changingTranscript } from '../changing-transcript.ts'
import { append, call, claude, put, putClaude, temporaryHome, text, userLines, uuid } from '../records.ts'
import { share } from '../share.ts'
import { claudeAt, contentOfAll, freshIndex, secondConnection } from '../store-audit.ts'
import { fileContent, keep, storedContent } from '../stores.ts'

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
  it.each([800, 4000])('writes only the rows that differ: %i lines', (lines) => {
    const session = longSession(lines)
    for (const record of round(lines + 1)) expect(session.costOf(record)).toBeLessThanOrEqual(10)
    expect(contentOfAll(session.store)).toEqual(contentOfAll(freshIndex(session.environment)))
    session.close()
  })

  it('may change all of them if it goes back to an earlier turn', () => {
    const session = longSession(4000)
    expect(session.costOf(claude.user(5001, 'Once more', { parentUuid: uuid(4) }))).toBeGreaterThan(1500)
    expect(session.costOf(claude.reply(5002, [text('Yes')], { parentUuid: uuid(5001) }))).toBeLessThan(10)
    expect(contentOfAll(session.store)).toEqual(contentOfAll(freshIndex(session.environment)))
    session.close()
  })
})

/** Everything that a store has of its only file, but not in which order it was written. */
const TABLES_OF_LONG_STATES = [
  `SELECT o.line, o.place, o.offset, o.length, o.copy, o.prompt, o.aside, o.who, o.label, m.record, m.digest,
    m.who AS speaker, m.line AS first, m.text, m.target, m.more FROM occurrence o JOIN message m ON m.id = o.message
    ORDER BY o.line, o.place`,
  'SELECT * FROM usage ORDER BY reply',
  'SELECT * FROM heard ORDER BY line, place',
  'SELECT * FROM sent ORDER BY line, digest',
  'SELECT * FROM template ORDER BY template',
]

const rowsOf = (database: DatabaseSync): unknown[] =>
  TABLES_OF_LONG_STATES.map((sql) => database.prepare(sql).all())

/** A store for one transcript that grows. */
function growingTranscript() {
  const home = temporaryHome()
  const path = put(join(home, 'projects/-garden', `${uuid(0)}.jsonl`), '')
  const open = () => {
    const { store } = openSqliteStore(join(temporaryHome(), 'store.sqlite'), 0)
    return { store, database: secondConnection(store) }
  }
  const { store, database } = open()
  const artifact = () => discover(claudeAt(home)).artifacts[0]!
  let kept: FoldedFile | undefined
  /** Reads what is new. With `keeps`, what precedes it is still in memory. */
  const read = (into = store, { slice, keeps = false }: { slice?: number; keeps?: boolean } = {}): void => {
    for (let more = true; more; ) {
      const { increment, reading } = readIncrement({
        artifact: artifact(),
        base: into.known().get(path),
        reading: keeps ? kept : undefined,
        slice,
      })
      expect(into.write([increment])).toEqual([])
      if (into === store) kept = reading
      more = increment.more
    }
  }
  return {
    path,
    store,
    read,
    add: (text: string) => appendFileSync(path, text),
    clear: () => writeFileSync(path, ''),
    /** The store has what a fresh one has, which reads the file at once, and what the file contains. */
    expectSame(): void {
      const fresh = open()
      read(fresh.store)
      expect(storedContent(store, path)).toEqual(fileContent(artifact()))
      expect(rowsOf(database)).toEqual(rowsOf(fresh.database))
      for (const each of [fresh.database, fresh.store]) each.close()
    },
    close() {
      for (const each of [database, store]) each.close()
    },
  }
}

const textOf = (lines: readonly object[]): string => lines.map((each) => `${JSON.stringify(each)}\n`).join('')

it('a transcript that is read as it grows is the same as one that is read at once, whatever later lines change', {
  timeout: 600_000,
}, () => {
  const transcript = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 400 })
  fc.assert(
    fc.property(transcript, fc.infiniteStream(fc.nat(12)), (choices, sizes) => {
      let at = 0
      const choose = (limit: number): number => choices[at++ % choices.length]! % limit
      const lines = changingTranscript(10 + choose(70), choose)
      const growing = growingTranscript()
      for (let from = 0; from < lines.length; ) {
        const count = 1 + sizes.next().value!
        const text = textOf(lines.slice(from, from + count))
        // Some readings see a part of the last line, or all of it without its end.
        const cut = sizes.next().value!
        if (cut < 3) {
          growing.add(text.slice(0, -1 - cut))
          growing.read()
          growing.add(text.slice(-1 - cut))
        } else growing.add(text)
        growing.read(undefined, { slice: cut === 4 ? 700 : undefined, keeps: cut % 2 === 0 })
        from += count
        if (cut === 5) growing.expectSame()
      }
      growing.expectSame()
      growing.close()
    }),
    { numRuns: Math.ceil(40 * share), endOnFailure: true },
  )
})

it('lists the prompts of a long session while it is read as often as they double, and all of them at the end', () => {
  const home = temporaryHome()
  putClaude(home, uuid(1), userLines(1, 400))
  const [artifact] = discover(claudeAt(join(home, '.claude'))).artifacts
  const lists: (number | undefined)[] = []
  let reading: FoldedFile | undefined
  let checkpoint: Checkpoint | undefined
  for (let more = true; more; ) {
    const base = checkpoint && { id: 1, revision: 1, checkpoint }
    const found = readIncrement({ artifact: artifact!, base, reading, slice: 2000 })
    lists.push(found.increment.prompts?.length)
    ;({ more, checkpoint } = found.increment)
    reading = found.reading
  }
  const listed = lists.flatMap((length) => length ?? [])
  expect(lists.length).toBeGreaterThan(30)
  expect(listed.at(-1)).toBe(400)
  expect(lists.at(-1)).toBe(400)
  for (const [at, length] of listed.slice(1, -1).entries())
    expect(length).toBeGreaterThanOrEqual(2 * listed[at]!)
})
