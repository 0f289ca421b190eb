import type { Position } from '../position.ts'
import { LongList, type LongListState } from './state/long-list.ts'
import type { ChangedParts, StateParts } from './state/parts.ts'
import { TURN_PART } from './state/sizes.ts'

/** The turns read so far, as plain data. */
export interface TurnState {
  /** Where each turn begins that was not taken back. */
  begins: LongListState<Position>
  /** The spans that were taken back. */
  takenBack: TakenBack[]
}

interface TakenBack {
  from: Position
  /** Where it was taken back, which is not part of the span. */
  until: Position
}

/** Turns by position, for clients that take back the last ones without naming records. */
export function createTurns(parts: StateParts, before?: TurnState) {
  const begins = new LongList('turns', TURN_PART, parts, before?.begins)
  const takenBack = before ? [...before.takenBack] : []
  let holds = true
  return {
    /** How many there are. */
    count: (): number => begins.length,
    begin: (line: number, order: number): void => begins.push({ line, order }),
    /** Takes back the last turns, and all that follows their beginning up to this position. */
    takeBack(count: number, line: number, order: number): void {
      const rest = [...begins.all()]
      const [from] = rest.splice(Math.max(0, rest.length - count))
      if (!from) return
      begins.replace(rest)
      takenBack.push({ from, until: { line, order } })
      holds = false
    },
    /** Whether the turn at a position was taken back. */
    isTakenBack(line: number, order: number): boolean {
      const position = { line, order }
      return takenBack.some(({ from, until }) => !isBefore(position, from) && isBefore(position, until))
    },
    /** Whether no turn was taken back since the state was loaded. */
    holds: (): boolean => holds,
    save: (changed: ChangedParts): TurnState => ({ begins: begins.save(changed), takenBack: [...takenBack] }),
  }
}

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.order < other.order)

export type Turns = ReturnType<typeof createTurns>
