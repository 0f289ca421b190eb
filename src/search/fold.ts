import { simplify } from './han.ts'

/** A text as the index compares it: small letters, Latin ones without accents, Chinese simplified, what is composed in one character. */
export interface Folded {
  text: string
  /** Where each of its units stood in the original, and one more for its end. Absent: each in its own place. */
  places?: Uint32Array
}

/** The marks that unicode61 lets stand inside a word, and drops. Others end a word. */
export const MARKS = String.raw`\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331`

const uncommon = new RegExp(
  `[\u00b5\u00c0-\u024f\u1e00-\u1eff\u03c2${MARKS}]|[\u3099\u309a]|[\u1100-\u1112][\u1161-\u1175]`,
)
const foreign = /[^\0-\x7f]/
const han = /[\u4e00-\u9fff]/
const latin = /[\u00c0-\u024f\u1e00-\u1eff]/g
const shrinking = new RegExp(
  `[${MARKS}]+|[\u3040-\u30ff][\u3099\u309a]|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?`,
  'g',
)

export function fold(text: string): Folded {
  const lower = text.toLowerCase()
  // Most texts need no more, and the first test is much cheaper than the others.
  if (!foreign.test(lower)) return { text: lower }
  const isHan = han.test(lower)
  if (!uncommon.test(lower)) return { text: isHan ? simplify(lower) : lower }
  // The one character whose small form is longer; a letter that changes at the end of a word; micro, which is mu.
  const even = text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('µ', 'μ')
    .replace(latin, (letter) => baseOf(letter))
  return shrink(isHan ? simplify(even) : even)
}

/** Characters in several pieces in one, as file names of macOS hold them: kana with voice marks, Korean syllables. */
export function compose(text: string): string {
  return text.replace(shrinking, (pieces) => (pieces >= '\u1100' ? pieces.normalize('NFC') : pieces))
}

const bases = new Map<string, string>()

/** `e` of `é`; letters such as `ø` that are not composed stay. */
function baseOf(letter: string): string {
  let base = bases.get(letter)
  if (base === undefined) {
    const pieces = letter.normalize('NFD')
    base = /^[a-z]/.test(pieces) ? pieces[0]! : letter
    bases.set(letter, base)
  }
  return base
}

/** Drops marks and composes, keeping book of where everything stood. */
function shrink(text: string): Folded {
  const pieces: string[] = []
  let places: Uint32Array | undefined
  let length = 0
  let done = 0
  const keep = (piece: string, from: number): void => {
    pieces.push(piece)
    for (let index = 0; index < piece.length; index++) places![length++] = from + index
  }
  for (const match of text.matchAll(shrinking)) {
    places ??= new Uint32Array(text.length + 1)
    keep(text.slice(done, match.index), done)
    if (match[0] >= '\u1100') keep(match[0].normalize('NFC'), match.index)
    done = match.index + match[0].length
  }
  if (!places) return { text }
  keep(text.slice(done), done)
  places[length] = text.length
  return { text: pieces.join(''), places: places.subarray(0, length + 1) }
}
