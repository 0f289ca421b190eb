import { isUtf8 } from 'node:buffer'
import type { Line } from '../../../io/lines.ts'
import { isWithinLimits } from '../../../io/parse-limit.ts'
import { parseLine } from '../../../io/parse-line.ts'

/** A record and its line. */
export interface LineRecord {
  line: Line
  /** The whole line. */
  bytes: Uint8Array
  /** The record as JSON. */
  raw(): string
  /** The parsed record. */
  entry?: unknown
  /** The position among several records of one line. */
  part?: number
  malformed?: true
  /** True if `raw` is the unchanged line. */
  asRead?: true
}

/** The records of a line, or the reason why it becomes a stub. */
export type LineContent = { records: readonly LineRecord[] } | { stub: string }

/** A longer line that cannot be parsed becomes a stub, because its text would be in memory several times. */
const MOST_DAMAGED = 1024 * 1024

/** The records are only valid until the next line is read. An incomplete last line has none. */
export function contentOf(line: Line): LineContent {
  if (line.oversized) return { stub: 'longer than any record' }
  const bytes = line.bytes.subarray(line.start, line.end)
  const raw = (): string => bytes.toString('utf8')
  const isBounded = isWithinLimits(line.bytes, line.start, line.end)
  if (!isBounded && line.length > MOST_DAMAGED) return { stub: 'nested too deeply, or of too many values' }
  // Bytes that are not UTF-8 would not survive decoding.
  const entry = isBounded && isUtf8(bytes) ? tryParse(raw()) : undefined
  if (entry !== undefined) return { records: [{ line, bytes, raw, entry, asRead: true }] }
  const { entries, damaged } = parseLine(line.bytes, line.start, line.end)
  const isWhole = !damaged && entries.length > 0
  if (!isWhole && !line.terminated) return { records: [] }
  if (!isWhole) return { records: [{ line, bytes, raw: () => JSON.stringify(raw()), malformed: true }] }
  const part = (index: number): number | undefined => (entries.length > 1 ? index : undefined)
  return {
    records: entries.map((each, index) => ({
      ...{ line, bytes, raw: () => JSON.stringify(each), entry: each, part: part(index) },
    })),
  }
}

/** Undefined if the text is not JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
