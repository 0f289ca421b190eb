import { isAscii } from './characters.ts'
import { simplify } from './han.ts'

/**
 * A text in the form the index compares: lower case, Latin letters without accents, simplified Chinese,
 * composed characters.
 */
export interface Folded {
  text: string
  /** The original index of each UTF-16 unit, and one more for the end. Absent if no index has changed. */
  offsets?: Uint32Array
}

/** Combining marks that unicode61 allows inside a word and removes. Other marks end a word. */
export const MARKS = String.raw`\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331`

const uncommon = new RegExp(
  `[\u00b5\u00c0-\u024f\u1e00-\u1eff\u03c2${MARKS}]|[\u3099\u309a]|[\u1100-\u1112][\u1161-\u1175]`,
)
const han = /[\u4e00-\u9fff]/
const latin = /[\u00c0-\u024f\u1e00-\u1eff]/g
const shrinking = new RegExp(
  `[${MARKS}]+|[\u3040-\u30ff][\u3099\u309a]|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?`,
  'g',
)

export function fold(text: string): Folded {
  const lower = text.toLowerCase()
  // Most texts end here. This test is much cheaper than the following ones.
  if (isAscii(lower)) return { text: lower }
  const isHan = han.test(lower)
  if (!uncommon.test(lower)) return { text: isHan ? simplify(lower) : lower }
  // The one character whose lower case is longer, the sigma that changes at the end of a word, and the micro
  // sign.
  const even = text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('µ', 'μ')
    .replace(latin, (letter) => baseOf(letter))
  return shrink(isHan ? simplify(even) : even)
}

/** Composes characters that macOS decomposes in file names: kana with voice marks and Korean syllables. */
export function compose(text: string): string {
  return text.replace(shrinking, (pieces) => (pieces >= '\u1100' ? pieces.normalize('NFC') : pieces))
}

const bases = new Map<string, string>()

/** `e` for `é`. Letters such as `ø`, which are not composed, remain. */
function baseOf(letter: string): string {
  let base = bases.get(letter)
  if (base === undefined) {
    const pieces = letter.normalize('NFD')
    base = /^[a-z]/.test(pieces) ? pieces[0]! : letter
    bases.set(letter, base)
  }
  return base
}

/** Removes marks and composes characters, and records the original indexes. */
function shrink(text: string): Folded {
  const pieces: string[] = []
  let offsets: Uint32Array | undefined
  let length = 0
  let done = 0
  const keep = (piece: string, from: number): void => {
    pieces.push(piece)
    for (let index = 0; index < piece.length; index++) offsets![length++] = from + index
  }
  for (const match of text.matchAll(shrinking)) {
    offsets ??= new Uint32Array(text.length + 1)
    keep(text.slice(done, match.index), done)
    if (match[0] >= '\u1100') keep(match[0].normalize('NFC'), match.index)
    done = match.index + match[0].length
  }
  if (!offsets) return { text }
  keep(text.slice(done), done)
  offsets[length] = text.length
  return { text: pieces.join(''), offsets: offsets.subarray(0, length + 1) }
}
