/**
 * The number of slips between two words: a letter changed, missing or added, or two swapped. Returns `most +
 * 1` for anything above `most`.
 */
export function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let slips = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        slips = Math.min(slips, before[column - 2]! + 1)
      current.push(slips)
      least = Math.min(least, slips)
    }
    if (least > most) return most + 1
    before = above
    above = current
  }
  return Math.min(above[other.length]!, most + 1)
}

/** How many slips are allowed. Short words are too similar to each other. */
export const slipsAllowed = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** A part of a word, and where it begins. */
export interface Piece {
  text: string
  start: number
}

/** Parts of a word of which at least one survives this many slips. A swap may touch two parts. */
export function piecesOf(word: string, slips: number): Piece[] {
  const count = Math.min(word.length, 2 * slips + 1)
  const startOf = (piece: number): number => Math.floor((piece * word.length) / count)
  return Array.from({ length: count }, (_, piece) => ({
    text: word.slice(startOf(piece), startOf(piece + 1)),
    start: startOf(piece),
  }))
}

/** Whether a part of another word is in a word, where that many slips may have moved it. */
export function isNear(word: string, { text, start }: Piece, slips: number): boolean {
  const at = word.indexOf(text, Math.max(0, start - slips))
  return at >= 0 && at <= start + slips
}
