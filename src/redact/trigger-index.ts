import { BEGINNING, createBeginnings } from './beginnings.ts'
import { edgesOf, isLiteralAt } from './literals.ts'
import { lowBytesOf, PIECE } from './low-bytes.ts'
import type { TriggerTable } from './trigger-table.ts'

/** Finds the positions where a rule is worth trying, in one pass over a text. */
export interface TriggerIndex {
  /** Calls `visit` in ascending order of position. A position is a candidate, not yet a match. */
  scan(text: string, visit: (rule: number, position: number) => void): void
}

/** Prepares the index. Rules are identified by their index in the list that the table was made from. */
export function indexTriggers(table: TriggerTable): TriggerIndex {
  const { literals, kinds } = table
  const beginnings = createBeginnings(table, (literal) => edgesOf(literals[literal]!))
  return {
    scan(text, visit) {
      const codeAt = (at: number): number => text.charCodeAt(at)
      for (let from = 0; from < text.length; from += PIECE - BEGINNING + 1) {
        const piece = text.length <= PIECE ? text : text.slice(from, from + PIECE)
        const count = beginnings.search(lowBytesOf(piece), 0, piece.length)
        for (let found = 0; found < count; found++) {
          const position = from + beginnings.distanceOf(found)
          const numbers = beginnings.literalsAt(found)
          for (let at = 0; at < numbers.length; at++) {
            const literal = literals[numbers[at]!]!
            if (isLiteralAt(codeAt, position, text.length, literal, kinds))
              for (const rule of literal.rules) visit(rule, position)
          }
        }
      }
    },
  }
}
