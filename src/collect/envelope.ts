import { depthOf, isEscaped, keyOf, kindOf, type LineShape, NUMBER, STRING } from '../io/scanner/shape.ts'
import { hashBytes, type IdHash } from '../model/id-set.ts'
import { asTime } from '../model/json.ts'
import type { Vocabulary } from '../platforms/platform.ts'

/** Reads what every record has, its ids, time and directory, from the shape of a line. */
export interface Envelope {
  /** `texts`: decode the ids too; otherwise `hash` is all that is told of the record's own. */
  read(line: LineShape, texts: boolean): void
  /** Hash of the id; `hashed` says whether there is one. */
  hash: IdHash
  hashed: boolean
  id: string | undefined
  parentId: string | undefined
  at: number | undefined
  cwd: string | undefined
  sessionId: string | undefined
  /** Whether `cwd` and `sessionId` are looked at: once known they seldom change. */
  wantPlace: boolean
}

export function createEnvelope(vocabulary: Vocabulary): Envelope {
  const words = wordsOf(vocabulary)
  const { id, parentId, at, cwd, sessionId } = vocabulary.envelope
  const idKey = words.indexOf(id) + 1
  const parentKey = words.indexOf(parentId) + 1
  const atKey = words.indexOf(at) + 1
  const cwdKey = cwd === undefined ? -1 : words.indexOf(cwd) + 1
  const sessionKey = sessionId === undefined ? -1 : words.indexOf(sessionId) + 1
  return {
    hash: { high: 0, low: 0 },
    hashed: false,
    id: undefined,
    parentId: undefined,
    at: undefined,
    cwd: undefined,
    sessionId: undefined,
    wantPlace: true,
    read(line, texts) {
      this.id = this.parentId = this.cwd = this.sessionId = undefined
      this.at = undefined
      this.hashed = false
      const end = line.first + line.pairs * 3
      for (let index = line.first; index < end; index += 3) {
        const meta = line.words[index]!
        if (depthOf(meta) !== 1) continue
        const key = keyOf(meta)
        if (key === idKey) {
          this.hashed = kindOf(meta) === STRING && !isEscaped(meta) && line.words[index + 2]! > line.words[index + 1]!
          if (this.hashed) hashBytes(line.bytes, line.words[index + 1]!, line.words[index + 2]!, this.hash)
          if (texts) this.id = plain(line, index)
        } else if (key === parentKey) {
          if (texts) this.parentId = plain(line, index)
        }
        else if (key === atKey) this.at = timeAt(line, index)
        else if (!this.wantPlace) continue
        else if (key === cwdKey) this.cwd = string(line, index)
        else if (key === sessionKey) this.sessionId = plain(line, index)
      }
    },
  }
}

/** The numbering of a vocabulary: keys first, then values that are not keys. */
export const wordsOf = (vocabulary: Vocabulary): string[] => [...new Set([...vocabulary.keys, ...vocabulary.values])]

function plain(line: LineShape, index: number): string | undefined {
  const meta = line.words[index]!
  if (kindOf(meta) !== STRING || isEscaped(meta)) return undefined
  return line.bytes.toString('latin1', line.words[index + 1]!, line.words[index + 2]!) || undefined
}

function string(line: LineShape, index: number): string | undefined {
  const meta = line.words[index]!
  if (kindOf(meta) !== STRING) return undefined
  const text = line.bytes.toString('utf8', line.words[index + 1]!, line.words[index + 2]!)
  return (isEscaped(meta) ? (JSON.parse(`"${text}"`) as string) : text) || undefined
}

/** Times of the usual form are read digit by digit; any other goes through the general reader. */
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

/** Milliseconds at the start of a day; the same day is asked for many times in a row. */
function dayOf(year: number, month: number, day: number): number {
  const key = year * 10_000 + month * 100 + day
  if (key !== lastDay) {
    lastDay = key
    lastDayMs = month >= 1 && month <= 12 && day >= 1 && day <= 31 ? Date.UTC(year, month - 1, day) : Number.NaN
  }
  return lastDayMs
}
