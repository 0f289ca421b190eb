import {
  depthOf,
  isEscaped,
  kindOf,
  type LineShape,
  NUMBER,
  STRING,
  stringAt,
  textAt,
} from '../../io/scanner/shape.ts'
import { hashBytes, type IdHash } from '../../model/hash.ts'
import { asTime } from '../../model/json.ts'
import type { Vocabulary } from '../../platforms/platform.ts'
import { createFieldNumbers } from './field-numbers.ts'

/** Reads the common fields of a scanned line: ids, time and directory. */
export interface Envelope {
  /** `withId`: also decode the record's id. */
  read(line: LineShape, withId: boolean): void
  /** Hashes of the ids, which are cheaper than the ids. Zeros if there is none. */
  hash: IdHash
  parentHash: IdHash
  id: string | undefined
  at: number | undefined
  cwd: string | undefined
  sessionId: string | undefined
  /** Whether to read `cwd` and `sessionId`. Once known they seldom change. */
  wantDirectory: boolean
  /** Whether to read `parentHash`. Only branches need it. */
  wantParent: boolean
}

export function createEnvelope(vocabulary: Vocabulary): Envelope {
  const words = wordsOf(vocabulary)
  const paths = vocabulary.envelope
  const fields = createFieldNumbers(Object.values(paths), words)
  const [idField, parentField, atField, cwdField, sessionField] = [
    ...[paths.id, paths.parentId, paths.at, paths.cwd, paths.sessionId],
  ].map(fields.numberOf) as [number, number, number, number, number]
  return {
    hash: { high: 0, low: 0 },
    parentHash: { high: 0, low: 0 },
    id: undefined,
    at: undefined,
    cwd: undefined,
    sessionId: undefined,
    wantDirectory: true,
    wantParent: false,
    read(line, withId) {
      this.id = this.cwd = this.sessionId = undefined
      this.at = undefined
      this.hash.high = this.hash.low = this.parentHash.high = this.parentHash.low = 0
      const end = line.first + line.pairs * 3
      for (let index = line.first; index < end; index += 3) {
        const meta = line.words[index]!
        if (depthOf(meta) > fields.deepest) continue
        const field = fields.at(meta)
        if (field === 0) continue
        if (field === idField) {
          hashAt(line, index, this.hash)
          if (withId) this.id = textAt(line, index) || undefined
        } else if (field === parentField) {
          if (this.wantParent) hashAt(line, index, this.parentHash)
        } else if (field === atField) this.at = timeAt(line, index)
        else if (!this.wantDirectory) continue
        else if (field === cwdField) this.cwd = stringAt(line, index) || undefined
        else if (field === sessionField) this.sessionId = textAt(line, index) || undefined
      }
    },
  }
}

/** The word numbers of a vocabulary: keys first, then values that are not keys. */
export const wordsOf = (vocabulary: Vocabulary): string[] => [
  ...new Set([...vocabulary.keys, ...vocabulary.values]),
]

function hashAt(line: LineShape, index: number, into: IdHash): void {
  const meta = line.words[index]!
  const start = line.words[index + 1]!
  const end = line.words[index + 2]!
  if (kindOf(meta) === STRING && !isEscaped(meta) && end > start) hashBytes(line.bytes, start, end, into)
}

/** Reads times in the usual format digit by digit. Others take the general parser. */
function timeAt(line: LineShape, index: number): number | undefined {
  const kind = kindOf(line.words[index]!)
  const start = line.words[index + 1]!
  const length = line.words[index + 2]! - start
  const { bytes } = line
  if (kind === NUMBER) return asTime(Number(bytes.toString('latin1', start, start + length)))
  if (kind !== STRING) return undefined
  if (length === 24 && bytes[start + 23] === 90 && bytes[start + 19] === 46 && bytes[start + 10] === 84) {
    const digits = (at: number): number => bytes[start + at]! * 10 + bytes[start + at + 1]! - 528
    const day = dayOf(digits(0) * 100 + digits(2), digits(5), digits(8))
    const ms = (bytes[start + 20]! - 48) * 100 + digits(21)
    const time = day + digits(11) * 3_600_000 + digits(14) * 60_000 + digits(17) * 1000 + ms
    if (Number.isFinite(time)) return time
  }
  return asTime(bytes.toString('latin1', start, start + length))
}

let lastDay = Number.NaN
let lastDayMs = 0

/** Milliseconds at the start of a day. Caches the last day, because consecutive records share it. */
function dayOf(year: number, month: number, day: number): number {
  const key = year * 10_000 + month * 100 + day
  if (key !== lastDay) {
    lastDay = key
    lastDayMs =
      month >= 1 && month <= 12 && day >= 1 && day <= 31 ? Date.UTC(year, month - 1, day) : Number.NaN
  }
  return lastDayMs
}
