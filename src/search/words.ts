import { hashText } from '../model/hash.ts'
import type { IdSet } from '../model/id-set.ts'
import { hasCjk, TOKEN } from './characters.ts'
import { MARKS } from './fold.ts'
import { once } from './once.ts'
import { indexedTokens } from './tokens.ts'

export { endsOpen, indexText, tokenStream, tokensOf } from './tokens.ts'

const SHORTEST = 2
const LONGEST = 40
/** Shorter random text looks too much like words. */
const SHORTEST_RANDOM = 13

const HEX_LETTER = 1
const OTHER_LETTER = 2
const DIGIT = 4
const CAPITAL = 8
const SMALL = 16
const LETTER = HEX_LETTER | OTHER_LETTER
const MIXED = DIGIT | CAPITAL | SMALL

/** The kind of each ASCII character. Zero for separators. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/\d/.test(character)) return DIGIT
  if (!/[a-z]/i.test(character)) return 0
  return (/[a-f]/i.test(character) ? HEX_LETTER : OTHER_LETTER) | (/[a-z]/.test(character) ? SMALL : CAPITAL)
})

/** Longer words are split, to limit the regular expression's stack. */
const wordHere = once(() => new RegExp(`${TOKEN}[${TOKEN}${MARKS}]{0,1024}`, 'vy'))

const hash = { high: 0, low: 0 }

/**
 * Appends the words of a text that are not in `seen`: lower case, 2 to 40 units long, with at least one
 * letter. Excludes parts of hashes, random text, and Chinese, Japanese and Korean, whose parts are all tokens
 * anyway. This is a hot path, so ASCII is read without creating strings.
 */
export function collectWords(text: string, seen: Pick<IdSet, 'add'>, out: string[]): void {
  let start = 0
  let kinds = 0
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const kind = code < 128 ? KINDS[code]! : 0
    if (kind !== 0) {
      // The same as `hashText` of the lower-case word.
      const small = (kind & CAPITAL) !== 0 ? code | 0x20 : code
      high = Math.imul(high ^ small, 0x01000193)
      low = Math.imul(low ^ small, 0x85ebca6b) ^ (low >>> 15)
      kinds |= kind
      continue
    }
    if (code >= 128 && !isPlainSeparator(code)) {
      const pattern = wordHere()
      pattern.lastIndex = start
      const word = pattern.exec(text)?.[0]
      if (word !== undefined && start + word.length > at) {
        collectOther(word, seen, out)
        at = start + word.length - 1
        kinds = 0
      }
    }
    if (
      at - start >= SHORTEST &&
      at - start <= LONGEST &&
      isWord(kinds) &&
      !((kinds & MIXED) === MIXED && looksRandom(text, start, at))
    ) {
      hash.high = high | 0
      hash.low = low | 1
      if (seen.add(hash)) out.push(text.slice(start, at).toLowerCase())
    }
    start = at + 1
    kinds = 0
    high = 0x811c9dc5
    low = 0x9e3779b9
  }
}

/** The words in a run of letters that are not all ASCII. */
function collectOther(run: string, seen: Pick<IdSet, 'add'>, out: string[]): void {
  for (const word of indexedTokens(run)) {
    if (word.length < SHORTEST || word.length > LONGEST || !/\p{L}/u.test(word) || hasCjk(word)) continue
    if (/^[a-f\d]*\d[a-f\d]*$/.test(word)) continue
    hashText(word, hash)
    if (seen.add(hash)) out.push(word)
  }
}

/** A word contains a letter. A number with the letters a to f does not count. */
function isWord(kinds: number): boolean {
  return (kinds & LETTER) !== 0 && ((kinds & OTHER_LETTER) !== 0 || (kinds & DIGIT) === 0)
}

/**
 * Characters that end a word of ASCII: punctuation, arrows, box drawing and symbols, which are common in
 * prose, and Chinese, Japanese and Korean letters. Other characters take the slow path.
 */
function isPlainSeparator(code: number): boolean {
  return (
    (code >= 0x2010 && code <= 0x206f) ||
    (code >= 0x2190 && code <= 0x2245) ||
    (code >= 0x2500 && code <= 0x2775) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  )
}

/**
 * Random text often changes between digits, lower and upper case. An upper-case letter before a lower-case
 * one is normal.
 */
function looksRandom(text: string, start: number, end: number): boolean {
  if (end - start < SHORTEST_RANDOM) return false
  let changes = 0
  let previous = 0
  for (let at = start; at < end; at++) {
    const current = KINDS[text.charCodeAt(at)]! & MIXED
    if (previous !== 0 && current !== previous && !(previous === CAPITAL && current === SMALL)) changes++
    previous = current
  }
  return changes * 4 > end - start
}
