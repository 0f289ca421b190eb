import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { opened } from '../../src/io/source.ts'
import type { Environment } from '../../src/model/artifact.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, uuid } from '../records.ts'
import { bringUpToDate, secondConnection } from '../store-audit.ts'

afterEach(() => {
  opened.listener = undefined
  opened.reader = undefined
})

const KB = 1024
const MB = 1024 * KB
const TABLES = ['artifact', 'session', 'message', 'occurrence', 'usage', 'vocabulary', 'tool'] as const
const line = (entry: object): string => `${JSON.stringify(entry)}\n`
const userLines = (from: number, count: number) =>
  Array.from({ length: count }, (_, number) => claude.user(from + number, `said w${from + number}x`))
/** A tool result is long, and not stored. */
const given = (number: number): object => claude.result(number, 'toolu_1', 'a leaf '.repeat(1000))

/** A transcript far longer than one slice. */
function putLong(home: string, bytes: number): string {
  const path = putClaude(home, uuid(1), userLines(1, 40))
  const block = Array.from({ length: 100 }, (_, number) => line(given(100 + number))).join('')
  for (let written = 0; written < bytes; written += block.length) appendFileSync(path, block)
  return path
}

/** Files change long before they are read, unless a test is about that. */
const date = (path: string, seconds = 1_700_000_000): void => utimesSync(path, seconds, seconds)

/** A home whose store counts the rows that are written to it. */
function counted(home: string) {
  const environment: Environment = { home, variables: {} }
  const { store } = openSqliteStore(join(home, 'store.sqlite'), 0)
  const database = secondConnection(store)
  database.exec(
    `CREATE TABLE work (kind TEXT);${TABLES.flatMap((table) =>
      ['INSERT', 'UPDATE', 'DELETE'].map(
        (kind) => `CREATE TRIGGER ${table}_${kind} AFTER ${kind} ON ${table}
          BEGIN INSERT INTO work VALUES ('${kind.toLowerCase()} ${table}'); END;`,
      ),
    ).join('')}`,
  )
  /**
   * Refreshes the store. Returns the opened files, how much was read of each, and the rows that were written.
   */
  return function work(opening?: (path: string) => void) {
    const files: Record<string, number> = {}
    opened.listener = (path) => {
      files[path] ??= 0
      opening?.(path)
    }
    opened.reader = (path, bytes) => {
      files[path]! += bytes
    }
    database.exec('DELETE FROM work')
    const { read, unchanged, moved, gone, faults } = bringUpToDate(store, environment)
    opened.listener = undefined
    opened.reader = undefined
    expect(faults).toEqual([])
    const rows = Object.fromEntries(
      database
        .prepare('SELECT kind, count(*) AS count FROM work GROUP BY kind ORDER BY kind')
        .all()
        .map(({ kind, count }) => [kind, count]),
    ) as Record<string, number>
    const { messages, occurrences } = store.statistics()
    return { files, rows, read, unchanged, moved, gone, messages, occurrences }
  }
}

describe('a refresh does only the necessary work: it', () => {
  it('recognizes a renamed transcript, and writes no rows of its messages', () => {
    const home = temporaryHome()
    const path = putLong(home, 2 * MB)
    date(path)
    const work = counted(home)
    work()
    const other = join(dirname(dirname(path)), '-home-ann-moss', `${uuid(1)}.jsonl`)
    mkdirSync(dirname(other))
    renameSync(path, other)
    const { files, rows, moved, gone, messages } = work()
    expect(Object.keys(files)).toEqual([other])
    expect({ moved, gone, messages }).toEqual({ moved: 1, gone: 0, messages: 40 })
    for (const table of ['message', 'occurrence'])
      for (const kind of ['insert', 'update', 'delete']) expect(rows[`${kind} ${table}`]).toBeUndefined()
  })

  it('recognizes a session of OpenClaw after a reset, which only renames its file', () => {
    const home = temporaryHome()
    const lines = [
      openclaw.header('moss'),
      ...Array.from({ length: 400 }, (_, number) =>
        openclaw.user(number + 1, `water ${'it '.repeat(99)}${number}`),
      ),
    ]
    const path = putOpenclaw(home, 'moss.jsonl', lines)
    date(path)
    const work = counted(home)
    expect(work().messages).toBe(400)
    const reset = `${path}.reset.2026-11-01T10-00-00.000Z`
    renameSync(path, reset)
    const { files, moved, gone, messages, rows } = work()
    expect(Object.keys(files)).toEqual([reset])
    expect({ moved, gone, messages }).toEqual({ moved: 1, gone: 0, messages: 400 })
    expect(rows['insert message']).toBeUndefined()
  })

  it('stores the messages of a compressed copy once', () => {
    const home = temporaryHome()
    const path = putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'water it')])
    date(path)
    const work = counted(home)
    work()
    put(`${path}.reset.2026-11-01T10-00-00.000Z.zst`, zstdCompressSync(readFileSync(path)))
    expect(work()).toMatchObject({ messages: 1, occurrences: 2, rows: { 'insert occurrence': 1 } })
  })

  it('stores the messages that a fork repeats once, with both locations', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 30))
    date(path)
    const work = counted(home)
    expect(work()).toMatchObject({ messages: 30, occurrences: 30 })
    const fork = path.replace(uuid(1), uuid(2))
    copyFileSync(path, fork)
    appendFileSync(fork, userLines(100, 5).map(line).join(''))
    date(fork)
    const { rows, messages, occurrences } = work()
    expect({ messages, occurrences }).toEqual({ messages: 35, occurrences: 65 })
    expect(rows).toMatchObject({ 'insert message': 5, 'insert occurrence': 35 })
    expect(rows['update message']).toBeUndefined()
  })
})

describe('a rewritten transcript', () => {
  const reworded = (path: string): void =>
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('said', 'told'))

  it('is detected by its time if the length is the same', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 3))
    date(path)
    const work = counted(home)
    work()
    reworded(path)
    date(path, 1_700_000_100)
    expect(work()).toMatchObject({ read: 1, rows: { 'insert message': 3 } })
  })

  it('is detected with the same length and time if it was read at the moment of the change', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 3))
    const moment = Date.now() / 1000
    date(path, moment)
    const work = counted(home)
    // However busy the machine is, no time passes until it is read.
    vi.useFakeTimers({ toFake: ['Date'], now: moment * 1000 })
    try {
      work()
    } finally {
      vi.useRealTimers()
    }
    reworded(path)
    date(path, moment)
    expect(work()).toMatchObject({ read: 1, rows: { 'insert message': 3 } })
  })

  it('is not detected if length, time and file are the same: only --rebuild reads it then', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 3))
    date(path)
    const work = counted(home)
    work()
    reworded(path)
    date(path)
    expect(work()).toMatchObject({ read: 0, files: {}, rows: {} })
  })

  it('is detected if it is another file with the length and the time of the old one', () => {
    const home = temporaryHome()
    const path = putClaude(home, uuid(1), userLines(1, 3))
    date(path)
    const work = counted(home)
    work()
    copyFileSync(path, `${path}.new`)
    reworded(`${path}.new`)
    renameSync(`${path}.new`, path)
    date(path)
    expect(work()).toMatchObject({ read: 1, rows: { 'insert message': 3 } })
  })
})
