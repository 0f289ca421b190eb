import { type Line, readLines } from '../io/lines.ts'
import type { SeekableSource, SourceState } from '../io/source.ts'
import { isCurrent, type Mark, markAt } from './mark.ts'
import { createWitness } from './witness.ts'

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
  racy: boolean
  /** Visits the lines from the mark on. A last line without a newline is visited, but not passed. */
  read(visit: (line: Line) => void, limits: TailLimits): TailReached
  mark(position: Pick<Mark, 'offset' | 'line'>): Mark
  /** Whether the source is as it was, so that everything that was read belongs together. */
  isIntact(): boolean
}

export function openTail(source: SeekableSource, { nowMs, from, tailBytes, witness }: TailOptions): Tail {
  const opened = source.state()
  const ageMs = nowMs - opened.mtimeMs
  const racy = !source.lineBegins && ageMs < CLOCK_TICK_MS && ageMs > -CLOCK_SKEW_MS
  const witnessed = witness ? createWitness(source) : undefined
  const begin = { offset: from?.offset ?? 0, line: from?.line ?? 1 }
  return {
    opened,
    racy,
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
      if (isSame && !(racy && witnessed)) return true
      if (!witnessed?.stillHolds(begin.offset)) return false
      return from === undefined || isCurrent(source, from, tailBytes)
    },
  }
}
