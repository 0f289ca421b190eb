import { expect } from 'vitest'
import { readSession } from '../../src/collect/read-session.ts'
import { parseLine } from '../../src/io/parse-line.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Item, Session } from '../../src/model/session.ts'
import { platformOf } from '../../src/platforms/index.ts'
import { rawBytes, rawLines } from './subjects.ts'

function comparable(session: Session, except: readonly (keyof Session)[] = []): Partial<Session> {
  const row: Partial<Session> = { ...session }
  for (const key of except) delete row[key]
  return row
}

/** The fast path tells what parsing every line tells, for an index and for reading. */
export function fastEqualsSlow(artifact: Artifact, except: readonly (keyof Session)[] = []): void {
  for (const purpose of ['index', 'read'] as const) {
    const fast = readSession(artifact, { purpose })
    const slow = readSession(artifact, { purpose, parseAll: true })
    expect(comparable(fast.session, except), purpose).toEqual(comparable(slow.session, except))
    expect(fast.items, purpose).toEqual(slow.items)
  }
}

/** The index row is what reading says, although it looks at less. */
export function indexEqualsReading(artifact: Artifact): void {
  const index = readSession(artifact, { purpose: 'index' }).session
  const { session, items } = readSession(artifact, { purpose: 'read' })
  expect(comparable(index)).toEqual(comparable(session))
  expect(index.human, 'human messages').toBe(items.filter((item) => item.who === 'human').length)
  const replies = new Set(
    items.flatMap((item) => (isReply(item) ? [item.messageId ?? item.id ?? `@${item.offset}`] : [])),
  )
  expect(index.agentMessages, 'replies').toBe(replies.size)
  expect(index.toolCalls, 'tool calls').toBe(items.filter((item) => item.who === 'tool').length)
  const errors = items.filter((item) => item.who === 'error')
  expect(index.errors, 'errors').toBe(errors.filter((item) => item.sure !== false).length)
}

const isReply = (item: Item): boolean => item.who === 'agent' && item.text !== undefined && item.text !== ''

/** Every line that is not blank ends in exactly one bucket. */
export function everyLineIsCounted(artifact: Artifact): void {
  const expected = rawLines(rawBytes(artifact)).length
  for (const purpose of ['index', 'read'] as const) {
    const { lines, accounting } = readSession(artifact, { purpose }).session
    const { events, skipped, unknown, malformed } = accounting
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, each) => all + each, 0)
    expect({ lines, counted: events + sum(skipped) + sum(unknown) + malformed }, purpose).toEqual({
      lines: expected,
      counted: expected,
    })
  }
}

/** Line, offset and length of every item lead to the line it was made from. */
export function itemsStandWhereTheySay(artifact: Artifact): void {
  const bytes = rawBytes(artifact)
  const lines = new Map(rawLines(bytes).map((line) => [line.number, line]))
  for (const item of readSession(artifact, { purpose: 'read' }).items) {
    // What another file keeps has only the place where it belongs, which may be the end.
    if (item.label === 'side question' && item.length === 0) {
      expect(item.offset).toBeLessThanOrEqual(bytes.length)
      continue
    }
    const line = lines.get(item.line)
    expect(line?.offset, `offset of line ${item.line}`).toBe(item.offset)
    const slice = bytes.subarray(item.offset, item.offset + item.length)
    expect(slice.equals(line!.bytes), `bytes of line ${item.line}`).toBe(true)
    if (item.id !== undefined) expect(slice.includes(JSON.stringify(item.id).slice(1, -1))).toBe(true)
  }
}

/** Backwards first, then forwards: a normalizer that remembers anything tells different things. */
export function nothingIsCarried(artifact: Artifact): void {
  const platform = platformOf(artifact.platform)
  const entries = entriesOf(artifact)
  const backwards = entries.toReversed().map((entry) => platform.normalize(entry, artifact))
  const forwards = entries.map((entry) => platform.normalize(entry, artifact))
  expect(forwards).toEqual(backwards.toReversed())
}

/** The same file gives the same ids, in the same places, every time. */
export function readingTwiceIsTheSame(artifact: Artifact): void {
  const once = readSession(artifact, { purpose: 'read' })
  expect(readSession(artifact, { purpose: 'read' })).toEqual(once)
}

export const entriesOf = (artifact: Artifact): unknown[] =>
  rawLines(rawBytes(artifact)).flatMap(({ bytes }) => parseLine(bytes, 0, bytes.length).entries)
