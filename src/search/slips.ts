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

/** A part of a word, and where another word has it: first, last, or moved by a few characters. */
export interface Piece {
  text: string
  where: 'start' | 'end' | 'inside'
  /** Where it begins in its own word. */
  start: number
}

/** The least length of a piece that is not at the start: indexes of parts of words have three letters. */
const SHORTEST = 3

/**
 * Parts of a word. Each other word with at most that many slips has one of them at its place. Words of four
 * letters can have one slip, those of eight two: see `slipsAllowed`.
 */
export function piecesOf(word: string, slips: number): Piece[] {
  const { length } = word
  if (slips === 0) return [{ text: word, where: 'start', start: 0 }]
  const count = slips + 1
  const startOf = (piece: number): number =>
    Math.max(0, Math.min(Math.floor((piece * length) / count), length - SHORTEST * (count - piece)))
  const pieces = Array.from({ length: count }, (_, piece): Piece => {
    const [start, end] = [startOf(piece), piece === slips ? length : startOf(piece + 1)]
    return {
      text: word.slice(start, end),
      where: piece === 0 ? 'start' : piece === slips ? 'end' : 'inside',
      start,
    }
  })
  // Each slip changes one piece, so that one survives. Only a swap can change two, where they meet.
  const swapped = pieces.slice(1).flatMap(({ start }) => {
    const other = `${word.slice(0, start - 1)}${word[start]}${word[start - 1]}${word.slice(start + 1)}`
    return piecesOf(other, slips - 1)
  })
  return [...pieces, ...swapped]
}

/** Whether another word has the piece at its place, where that many slips may have moved it. */
export function isNear(word: string, { text, where, start }: Piece, slips: number): boolean {
  if (where === 'start') return word.startsWith(text)
  if (where === 'end') return word.endsWith(text)
  const at = word.indexOf(text, Math.max(0, start - slips))
  return at >= 0 && at <= start + slips
}
