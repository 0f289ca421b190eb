import type { SQLInputValue } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Artifact, Environment } from '../../src/model/artifact.ts'
import type { Session } from '../../src/model/session.ts'
import { closeConnections } from '../../src/platforms/openclaw/database/connection.ts'
import { openclaw } from '../../src/platforms/openclaw/index.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { type LooseRow, looseDatabase } from '../loose-database.ts'
import { openclaw as records, temporaryHome } from '../records.ts'
import { bringUpToDate, freshIndex } from '../store-audit.ts'
import { fileContent } from '../stores.ts'
import { lineOfRecord } from './mutations.ts'
import { demo, fixtures, rawBytes, rawLines } from './subjects.ts'

afterEach(closeConnections)

const environmentOf = (state: string): Environment => ({
  home: '/nowhere',
  variables: {},
  dirs: { 'claude-code': [], openclaw: [state] },
  deleted: true,
})
function discovered(state: string): Artifact[] {
  const root = { platform: 'openclaw', path: state, reason: 'test', found: true } as const
  const { artifacts, notices } = openclaw.files.discover(root, environmentOf(state))
  expect(notices).toEqual([])
  return artifacts
}
const only = (state: string, id = 'moss'): Artifact =>
  discovered(state).find(({ sessionId }) => sessionId === id)!
const total = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0)
const counted = ({ accounting }: Session): number =>
  accounting.events + total(accounting.skipped) + total(accounting.unknown) + accounting.malformed

const recordText = (number: number, words = `moss ${number}`): string =>
  JSON.stringify(records.user(number + 1, words))
const textsOf = (artifact: Artifact): (string | null)[] =>
  fileContent(artifact).messages.map(({ text }) => text)

/** The messages of a session of such rows, with the counts. */
function readRows(rows: readonly LooseRow[], version: 4 | 23 = 23) {
  const state = temporaryHome()
  const made = looseDatabase(state, version)
  made.session('moss', rows)
  made.session('fern', [{ seq: 0, text: recordText(0, 'fern') }])
  made.close()
  const artifact = only(state)
  const { session } = readSession(artifact)
  expect(counted(session)).toBe(session.lines)
  expect(textsOf(only(state, 'fern'))).toEqual(['fern'])
  return { texts: textsOf(artifact), lines: session.lines, malformed: session.accounting.malformed }
}

const frame = (text: string | Buffer): Uint8Array => zstdCompressSync(text)
const around = (row: Omit<LooseRow, 'seq'>): LooseRow[] => [
  { seq: 0, text: recordText(0) },
  { seq: 1, ...row },
  { seq: 2, text: recordText(2) },
]

/** Rows without a message, each between two rows with one. */
const SPOILED: Record<string, Omit<LooseRow, 'seq'>> = {
  'text that is not JSON': { text: 'no JSON at all' },
  'half a record': { text: recordText(1).slice(0, 60) },
  empty: { text: '' },
  'only white space': { text: ' \n\t ' },
  'neither text nor a frame': {},
  'an empty frame': { packed: new Uint8Array() },
  'an invalid frame': { packed: Buffer.from('no frame at all') },
  'text instead of a frame': { packed: 'a text' },
  'a number instead of a frame': { packed: 2n ** 62n },
  'half a frame': { packed: frame(recordText(1).repeat(50)).slice(0, 40) },
  'a frame with a changed byte': { packed: spoil(frame(recordText(1).repeat(50))) },
  'a frame without content': { packed: frame('') },
  'a frame of gigabytes': { packed: hugeFrame() },
  'a number instead of text': { text: 12 },
  'bytes that are not text': { text: Buffer.from([0xff, 0xfe, 0x00, 0x80]) },
}

function spoil(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[8]! ^= 0xff
  return copy
}

/** Consecutive frames of zeros: four gigabytes in less than half a megabyte. */
function hugeFrame(): Uint8Array {
  const one = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024))
  return Buffer.concat(Array.from({ length: 64 }, () => one))
}

it.each(Object.entries(SPOILED))(
  'an unreadable row is counted, and the rows around it are read: %s',
  (_, row) => {
    const { texts, lines, malformed } = readRows(around(row))
    expect(texts).toEqual(['moss 0', 'moss 2'])
    expect(lines).toBe(3)
    expect(malformed + Number('text' in row && row.text === 12)).toBe(1)
  },
)

/** Odd rows that still contain messages. */
const ODD: Record<string, [row: Omit<LooseRow, 'seq'>, texts: string[]]> = {
  'text as bytes': [{ text: Buffer.from(recordText(1)) }, ['moss 1']],
  'text next to a frame': [{ text: recordText(1), packed: frame(recordText(7)) }, ['moss 1']],
  'two records on one line': [{ text: recordText(1) + recordText(7) }, ['moss 1', 'moss 7']],
  'two records in two lines': [{ text: `${recordText(1)}\r\n${recordText(7)}\n` }, ['moss 1', 'moss 7']],
  'two records in a frame': [{ packed: frame(`${recordText(1)}\n${recordText(7)}`) }, ['moss 1', 'moss 7']],
  'zeros before it': [{ text: `\0\0${recordText(1)}` }, ['moss 1']],
  'a zero after it': [{ text: `${recordText(1)}\0` }, ['moss 1']],
  'a zero in its text': [{ text: recordText(1, 'moss\0 1') }, ['moss 1']],
  'invalid UTF-8 in it': [
    { text: Buffer.from(recordText(1, 'moss X 1').replace('X', '\xff'), 'latin1') },
    ['moss \uFFFD 1'],
  ],
}

describe('an odd row', () => {
  it.each(Object.entries(ODD))('is read as far as possible: %s', (_, [row, texts]) => {
    expect(readRows(around(row)).texts).toEqual(['moss 0', ...texts, 'moss 2'])
  })

  it('over the limit of a line is counted, and the rows around it are read', () => {
    const long = Buffer.alloc(64 * 1024 * 1024 + 1, 'a')
    expect(readRows(around({ text: long }))).toEqual({ texts: ['moss 0', 'moss 2'], lines: 3, malformed: 1 })
    expect(readRows(around({ packed: frame(long) }))).toEqual({
      texts: ['moss 0', 'moss 2'],
      lines: 3,
      malformed: 1,
    })
  })
})

describe('the number of a row', () => {
  const at = (...numbers: SQLInputValue[]) =>
    readRows(numbers.map((seq, index) => ({ seq, text: recordText(index) })))

  it('may leave gaps, and need not start at 0', () => {
    expect(at(5, 6, 900)).toEqual({ texts: ['moss 0', 'moss 1', 'moss 2'], lines: 3, malformed: 0 })
  })

  it('counts as 0 if it is negative', () => {
    expect(at(-(2n ** 63n), -7, -1, 0, 1).texts).toEqual(['moss 0', 'moss 1', 'moss 2', 'moss 3', 'moss 4'])
    expect(at(-3, -2).texts).toEqual(['moss 0', 'moss 1'])
  })

  it('is rounded if it is a fraction', () => {
    expect(at(0, 1, 1.5, 2).texts).toEqual(['moss 0', 'moss 1', 'moss 2', 'moss 3'])
  })

  it.each<[string, SQLInputValue]>([
    ['a huge gap', 2 ** 40],
    ['beyond all numbers', 2n ** 62n],
    ['a text', 'abc'],
    ['bytes', Buffer.from('abc')],
    ['too large for an integer', 1e300],
  ])('ends the session with one damaged line if it is invalid: %s', (_, far) => {
    expect(at(0, 1, far)).toEqual({ texts: ['moss 0', 'moss 1'], lines: 3, malformed: 1 })
  })
})

describe('the other columns of a session', () => {
  it.each([4, 23] as const)('may have any type: schema %i', (version) => {
    const odd: SQLInputValue[] = [null, 'abc', '', -1, 1.5, 2n ** 62n, Buffer.from('abc')]
    const state = temporaryHome()
    const made = looseDatabase(state, version)
    const rows = [{ seq: 0, text: recordText(0) }]
    for (const [index, value] of odd.entries()) {
      made.session(`created ${index}`, rows, { created: value })
      made.session(`updated ${index}`, rows, { updated: value })
      made.session(`name ${index}`, rows, { name: value })
      if (value !== null) made.session(`key ${index}`, rows, { key: value })
    }
    made.close()
    const found = discovered(state)
    expect(found).toHaveLength(4 * odd.length - 1)
    for (const each of found) expect(textsOf(each)).toEqual(['moss 0'])
    expect(bringUpToDate(freshIndex(environmentOf(state)), environmentOf(state)).faults).toEqual([])
  })

  it('may contain an empty or invalid archive', () => {
    const state = temporaryHome()
    const made = looseDatabase(state, 23)
    made.session('moss', [{ seq: 0, text: recordText(0) }])
    const insert =
      made.database.prepare(`INSERT INTO session_transcript_archives (session_id, generation, session_key, reason,
      encoding, archive_blob, archive_name, created_at) VALUES ('fern', ?, 'agent:main:fern', 'reset', ?, ?, ?, ?)`)
    const blobs: SQLInputValue[] = [
      null,
      '',
      recordText(1),
      7,
      Buffer.from('an invalid frame'),
      Buffer.from(recordText(1)),
    ]
    for (const [index, blob] of blobs.entries())
      for (const encoding of ['zstd', 'identity'])
        insert.run(
          `${encoding} ${index}`,
          encoding,
          blob,
          `${encoding} ${index}`,
          index === 0 ? 2n ** 62n : 'abc',
        )
    made.close()
    const store = freshIndex(environmentOf(state))
    // Each is stored or reported as a fault, and none affects the others.
    expect(discovered(state)).toHaveLength(1 + 2 * blobs.length)
    const after = bringUpToDate(store, environmentOf(state))
    expect(after.faults.length + store.sessions().length).toBe(1 + 2 * blobs.length)
    for (const { fault } of after.faults) expect(fault).toMatch(/^(?:Z_BUF|ZSTD_)/)
    // As written: a record, and text that is not one. Values that are not text, and invalid frames, are
    // faults.
    expect(after.faults).toHaveLength(8)
    store.close()
  })
})

describe('rows of changed records', () => {
  const subjects = [...fixtures('openclaw'), ...demo()].filter(
    ({ artifact }) => artifact.platform === 'openclaw' && artifact.database === undefined,
  )
  const lines = subjects.flatMap(({ artifact }) =>
    rawLines(rawBytes(artifact)).map(({ bytes }) => bytes.toString()),
  )
  const rows = fc.array(
    fc.record({
      line: lineOfRecord(lines),
      gap: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 40 })),
      form: fc.constantFrom('text', 'text', 'bytes', 'packed', 'spoiled'),
    }),
    { maxLength: 12 },
  )

  it('are all read or counted, and yield the same with and without parsing', () => {
    const state = temporaryHome()
    const made = looseDatabase(state, 23)
    let sessions = 0
    fc.assert(
      fc.property(rows, (each) => {
        let seq = -1
        const written = each.map(({ line, gap, form }): LooseRow => {
          seq += 1 + gap
          if (form === 'bytes') return { seq, text: Buffer.from(line) }
          if (form === 'packed') return { seq, packed: frame(line) }
          return form === 'spoiled' ? { seq, packed: Buffer.from(line) } : { seq, text: line }
        })
        const id = `moss-${sessions++}`
        const count = made.session(id, written)
        if (count === 0) return
        const artifact = only(state, id)
        const { session } = readSession(artifact, { keep: 'counts' })
        expect(counted(session)).toBe(session.lines)
        // Those below 0 are read with the first; all others have their own line.
        const numbers = new Set(written.map((row) => Math.max(0, Number(row.seq))))
        expect(session.lines).toBe(numbers.size)
        made.database.exec('DELETE FROM session_windows; DELETE FROM transcript_events')
      }),
      { numRuns: 150 },
    )
    made.close()
  })
})
