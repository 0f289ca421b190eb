import { expect } from 'vitest'
import { parseLine } from '../../src/io/parse-line.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import type { Item } from '../../src/model/session.ts'
import { platformOf } from '../../src/platforms/index.ts'
import { readSession } from '../../src/sync/read/read-session.ts'
import { rawBytes, rawLines } from './subjects.ts'

/** A line that is skipped by its first bytes has nothing that parsing would find. */
export function skippedLinesHaveNothing(artifact: Artifact): void {
  const { skip, normalize } = platformOf(artifact.platform).records
  for (const { bytes } of rawLines(rawBytes(artifact))) {
    const name = skip?.({ bytes, start: 0, end: bytes.length })
    if (name === undefined) continue
    const { entries } = parseLine(bytes, 0, bytes.length)
    expect(entries.flatMap((entry) => normalize(entry, artifact))).toEqual([
      { payload: { type: 'skipped', name } },
    ])
  }
}

/** The index row is the same as from reading, although less is parsed. */
export function indexEqualsReading(artifact: Artifact): void {
  const index = readSession(artifact, { keep: 'counts' }).session
  const { session, items } = readSession(artifact)
  expect(index).toEqual(session)
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

/** Every line that is not blank counts in exactly one bucket. */
export function everyLineIsCounted(artifact: Artifact): void {
  const expected = rawLines(rawBytes(artifact)).length
  for (const keep of ['counts', 'condensed', 'full'] as const) {
    const { lines, accounting } = readSession(artifact, { keep }).session
    const { events, skipped, unknown, malformed } = accounting
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, each) => all + each, 0)
    expect({ lines, counted: events + sum(skipped) + sum(unknown) + malformed }, keep).toEqual({
      lines: expected,
      counted: expected,
    })
  }
}

/** The labels of prompts that are in no transcript. */
const BESIDE = new Set(['side question', 'waiting'])

/** Line, offset and length of every item refer to the line from which it was made. */
export function itemsHaveCorrectPositions(artifact: Artifact): void {
  const bytes = rawBytes(artifact)
  const lines = new Map(rawLines(bytes).map((line) => [line.number, line]))
  for (const item of readSession(artifact).items) {
    // An item from another file only has the line to which it belongs, which may be the end.
    if (item.label !== undefined && BESIDE.has(item.label) && item.length === 0) {
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

/** Backwards first, then forwards: the results of a normalizer with state would differ. */
export function nothingIsCarried(artifact: Artifact): void {
  const platform = platformOf(artifact.platform)
  const entries = entriesOf(artifact)
  const backwards = entries.toReversed().map((entry) => platform.records.normalize(entry, artifact))
  const forwards = entries.map((entry) => platform.records.normalize(entry, artifact))
  expect(forwards).toEqual(backwards.toReversed())
}

/** A file has the same ids at the same positions every time. */
export function readingTwiceIsTheSame(artifact: Artifact): void {
  const once = readSession(artifact)
  expect(readSession(artifact)).toEqual(once)
}

export const entriesOf = (artifact: Artifact): unknown[] =>
  rawLines(rawBytes(artifact)).flatMap(({ bytes }) => parseLine(bytes, 0, bytes.length).entries)
