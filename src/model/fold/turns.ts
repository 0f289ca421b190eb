/** The turns read so far, as plain data. Positions are pairs of line and order. */
export interface TurnState {
  /** Where each turn begins that was not taken back. */
  begins: number[]
  /** The spans that were taken back: begin and end. */
  takenBack: number[]
}

/** Turns by position, for clients that take back the last ones without naming records. */
export function createTurns(before?: TurnState) {
  const begins = before ? [...before.begins] : []
  const takenBack = before ? [...before.takenBack] : []
  return {
    begin: (line: number, order: number): void => void begins.push(line, order),
    /** Takes back the last turns, and all that follows their beginning up to this position. */
    takeBack(count: number, line: number, order: number): void {
      const from = begins.splice(Math.max(0, begins.length - 2 * count))
      if (from.length > 0) takenBack.push(from[0]!, from[1]!, line, order)
    },
    /** Whether the turn at a position was taken back. */
    isTakenBack(line: number, order: number): boolean {
      for (let at = 0; at < takenBack.length; at += 4)
        if (
          !isBefore(line, order, takenBack[at]!, takenBack[at + 1]!) &&
          isBefore(line, order, takenBack[at + 2]!, takenBack[at + 3]!)
        )
          return true
      return false
    },
    save: (): TurnState => ({ begins: [...begins], takenBack: [...takenBack] }),
  }
}

const isBefore = (line: number, order: number, otherLine: number, otherOrder: number): boolean =>
  line < otherLine || (line === otherLine && order < otherOrder)

export type Turns = ReturnType<typeof createTurns>
