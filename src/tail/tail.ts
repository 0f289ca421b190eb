import { createHash } from 'node:crypto'
import { type Line, readLines } from '../io/lines.ts'
import {
  type Fingerprint,
  fingerprintAt,
  holds,
  type SeekableSource,
  type SourceState,
} from '../io/source.ts'

/** If a file changed this shortly before it was read, a further change may not show in its time, in ms. */
const CLOCK_TICK_MS = 8
/** The clock of a network drive may be ahead by as much, in ms. */
const CLOCK_SKEW_MS = 60_000

export interface TailOptions {
  nowMs: number
  /** Where an earlier reading ended. It must be current: see `isCurrent`. */
  from?: Mark
  /** How many bytes before a mark are hashed. */
  tailBytes?: number
  /** Hash what is read, so that a file that only grew meanwhile counts as intact. */
  witness?: boolean
}

interface TailLimits {
  /** Stop at the first line end after this many bytes, */
  enough?: number
  /** or when this returns true. Checked between chunks. */
  full?: () => boolean
  /** Do not visit lines that end after this offset. */
  until?: number
  lineLimit?: number
}

interface TailReached {
  /** Where the next reading begins: before a last line without a newline, which may still grow. */
  offset: number
  line: number
  /** The number of bytes that were read. */
  bytes: number
  /** Nothing is left to read, or nothing before `until`. */
  ended: boolean
}

/** One reading of a source that other programs append to, and sometimes rewrite. */
export interface Tail {
  /** The source as it was when the reading began. */
  opened: SourceState
  /** The modification time is so recent that it cannot prove later changes. */
  recentlyModified: boolean
  /** Visits the lines from the mark on. A last line without a newline is visited, but not passed. */
  read(visit: (line: Line) => void, limits: TailLimits): TailReached
  mark(position: Pick<Mark, 'offset' | 'line'>): Mark
  /** Whether the source is as it was, so that everything that was read belongs together. */
  isIntact(): boolean
}

export function openTail(source: SeekableSource, { nowMs, from, tailBytes, witness }: TailOptions): Tail {
  const opened = source.state()
  const ageMs = nowMs - opened.mtimeMs
  const recentlyModified = !source.lineBegins && ageMs < CLOCK_TICK_MS && ageMs > -CLOCK_SKEW_MS
  const witnessed = witness ? createWitness(source) : undefined
  const begin = { offset: from?.offset ?? 0, line: from?.line ?? 1 }
  return {
    opened,
    recentlyModified,
    read(visit, { until = Number.POSITIVE_INFINITY, enough = until, ...limits }) {
      let stop: Pick<Mark, 'offset' | 'line'> | undefined
      const visitOne = (line: Line): void => {
        const isBeyond = line.offset + line.length >= until
        if (isBeyond) stop ??= { offset: line.offset, line: line.number }
        else visit(line)
      }
      source.lineBegins?.(begin.offset, begin.line)
      source.seek(begin.offset)
      const { offset, number, bytes, ended } = readLines(witnessed ?? source, visitOne, {
        offset: begin.offset,
        number: begin.line,
        enough: Math.max(1, Math.min(enough, until - begin.offset)),
        ...limits,
      })
      return { offset, line: number, ...stop, bytes, ended: ended || offset >= until }
    },
    mark: (position) => markAt(source, position, opened.size, tailBytes),
    isIntact() {
      const now = source.state()
      const isSame = now.size === opened.size && now.mtimeMs === opened.mtimeMs
      if (isSame && !(recentlyModified && witnessed)) return true
      if (!witnessed?.stillHolds(begin.offset)) return false
      return from === undefined || isCurrent(source, from, tailBytes)
    },
  }
}

/** Where reading resumes, with hashes that prove that the bytes before it are unchanged. */
export interface Mark extends Fingerprint {
  /** The byte after a newline, and the number of the line that begins there, from 1. */
  offset: number
  line: number
}

/** A fingerprint that no source has. Whoever resumes from it starts over. */
export const UNKNOWN: Fingerprint = { headLength: 0, head: '', tail: '' }

/** `tailBytes` is how many bytes before the mark are hashed. A database detects rewrites itself. */
const markAt = (
  source: SeekableSource,
  { offset, line }: Pick<Mark, 'offset' | 'line'>,
  size: number,
  tailBytes?: number,
): Mark => {
  source.lineBegins?.(offset, line)
  return { offset, line, ...fingerprintAt(source, offset, size, tailOf(source, tailBytes)) }
}

/** Whether the bytes before the mark are still the ones that were read. */
export function isCurrent(source: SeekableSource, mark: Mark, tailBytes?: number): boolean {
  source.lineBegins?.(mark.offset, mark.line)
  return holds(source, mark.offset, mark, tailOf(source, tailBytes))
}

const tailOf = ({ lineBegins }: SeekableSource, bytes: number | undefined): number | undefined =>
  lineBegins ? undefined : bytes

const BYTES = 256 * 1024

/** A source that remembers the bytes that were read from it, as a hash. */
interface Witness extends SeekableSource {
  /** Whether the source still contains those bytes, which began at `offset`. */
  stillHolds(offset: number): boolean
}

/** Hashes the bytes that are read, because a file that grew meanwhile may also have been rewritten. */
function createWitness(source: SeekableSource): Witness {
  const hash = createHash('sha256')
  let length = 0
  return {
    ...source,
    read(into, at, most) {
      const count = source.read(into, at, most)
      hash.update(into.subarray(at, at + count))
      length += count
      return count
    },
    stillHolds(offset) {
      const now = createHash('sha256')
      source.seek(offset)
      for (const bytes of bytesOf(source, length)) now.update(bytes)
      return now.digest('hex') === hash.copy().digest('hex')
    },
  }
}

/** The next `length` bytes of a source, or fewer if it ends. Each piece is only valid until the next one. */
export function* bytesOf(source: SeekableSource, length: number): Generator<Buffer, void> {
  const bytes = Buffer.allocUnsafe(Math.min(length, BYTES))
  for (let left = length; left > 0; ) {
    const count = source.read(bytes, 0, Math.min(left, bytes.length))
    if (count === 0) return
    yield bytes.subarray(0, count)
    left -= count
  }
}
