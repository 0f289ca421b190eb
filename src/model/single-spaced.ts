/**
 * How many characters are replaced at once. The engine notes each match of a whole text, which takes a
 * gigabyte for 50 MB of words.
 */
const PIECE = 1 << 16

/** The text with single spaces for white space, and none at its ends. */
export function singleSpaced(text: string): string {
  if (text.length <= PIECE) return replaced(text).trim()
  let all = ''
  let endsInSpace = false
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = replaced(text.slice(at, at + PIECE))
    all += endsInSpace && piece.startsWith(' ') ? piece.slice(1) : piece
    endsInSpace = piece.endsWith(' ')
  }
  return all.trim()
}

const replaced = (text: string): string => text.replace(/\s+/g, ' ')
