import { hashText, type IdSet } from '../model/hash.ts'
import {
  CJK,
  compose,
  fold,
  hasCjk,
  isAllCjk,
  isAscii,
  isCjkAt,
  isTokenAt,
  MARKS,
  once,
  simplify,
  TOKEN,
} from './characters.ts'

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
      !(
        (kinds & MIXED) === MIXED &&
        // Random text contains no other alphabets.
        !isPlainLetter(code) &&
        !isPlainLetter(text.charCodeAt(start - 1)) &&
        looksRandom(text, start, at)
      )
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
    isPlainLetter(code)
  )
}

function isPlainLetter(code: number): boolean {
  return (
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

/**
 * UTF-16 units that may have to be changed before indexing: Chinese, Japanese and Korean, NUL, and symbols
 * that are newer than unicode61, which treats them as letters (`🤖done` would be one word).
 */
const special =
  /[\0\u1100-\u11ff\u23f4-\u23ff\u2b4d-\u2bff\u3005-\u30ff\u3105-\u33ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\ud81b-\ud83e\ud840-\ud8ff]/

/**
 * The maximum length of one match. V8 keeps a backtracking step per character, and millions overflow its
 * stack.
 */
const AT_ONCE = 1024

/** A pattern for `runsOf`, from a character class. */
const runPattern = (characters: string): RegExp => new RegExp(`${characters}{1,${AT_ONCE}}`, 'gv')

const cjkRun = once(() => runPattern(CJK))
const symbols = once(() => /[\0\p{S}]/gu)
const tokenRun = once(() => runPattern(TOKEN))
const asciiRun = runPattern('[0-9A-Za-z]')

const VERSION = /v\d+\.\d/i
const versions = once(() => new RegExp(`(?<![[\\p{L}\\p{N}\\p{M}_]--${CJK}])(v)(?=\\d+\\.\\d)`, 'giv'))
const NUMBER = /\d+\.\d/y

/** Puts a space behind the letter of a version: `2.1.112` finds `v2.1.112`. */
export const separateVersions = (text: string): string =>
  VERSION.test(text) ? text.replace(versions(), '$1 ') : text

/** Whether the number of a version begins there, after its letter. The index separates the two. */
export function isVersionAt(folded: string, index: number): boolean {
  if (folded[index - 1] !== 'v' || folded[index - 2] === '_') return false
  if (isTokenAt(folded, index - 2) && !isCjkAt(folded, index - 2)) return false
  NUMBER.lastIndex = index
  return NUMBER.test(folded)
}

/**
 * Converts a text for the full-text index. Chinese, Japanese and Korean become overlapping pairs followed by
 * the last character alone, so that any part of the text is a sequence of whole tokens: `登录页` becomes ` 登录 录页
 * 页 `. Traditional characters become simplified ones.
 */
export function indexText(given: string): string {
  const text = separateVersions(given)
  if (!special.test(text)) return text
  const plain = compose(text).replace(symbols(), ' ')
  const pieces: string[] = []
  let done = 0
  for (const { start, end } of runsOf(plain, cjkRun())) {
    pieces.push(plain.slice(done, start), pairs(simplify(plain.slice(start, end))))
    done = end
  }
  return pieces.length === 0 ? plain : pieces.join('') + plain.slice(done)
}

function pairs(run: string): string {
  let spaced = ' '
  let previous = ''
  for (const character of run) {
    if (previous) spaced += `${previous}${character} `
    previous = character
  }
  return `${spaced}${previous} `
}

/** The tokens of a text in the index, in order. */
export function indexedTokens(text: string): string[] {
  const { text: folded } = fold(indexText(text))
  const pattern = isAscii(folded) ? asciiRun : tokenRun()
  return Array.from(runsOf(folded, pattern), ({ start, end }) => folded.slice(start, end))
}

/**
 * The adjacent tokens that find a term. If the term ends in Chinese, Japanese or Korean, the text may
 * continue, so the last character is left out. If that run has only one character, the last token is searched
 * as a prefix; see `endsOpen`.
 */
export function tokensOf(term: string): string[] {
  const found = indexedTokens(term)
  const [before, last] = found.slice(-2)
  if (
    last !== undefined &&
    endsOpen(found) &&
    before!.length > last.length &&
    before!.endsWith(last) &&
    isAllCjk(before!)
  )
    found.pop()
  return found
}

/**
 * Whether the last token is a single Chinese, Japanese or Korean character, which is searched as a prefix.
 */
export function endsOpen(found: readonly string[]): boolean {
  const last = found.at(-1)
  return last !== undefined && last.length <= 2 && [...last].length === 1 && isAllCjk(last)
}

/** The tokens of a text in order, each between spaces, so that a phrase is a part of the text. */
export function tokenStream(text: string): string {
  const tokens = indexedTokens(text)
  return tokens.length === 0 ? '' : ` ${tokens.join(' ')} `
}

/** The runs of a text, of any length. */
function* runsOf(text: string, pattern: RegExp): Generator<{ start: number; end: number }> {
  let run: { start: number; end: number } | undefined
  for (const { index, 0: piece } of text.matchAll(pattern)) {
    if (run?.end === index) {
      run.end += piece.length
      continue
    }
    if (run) yield run
    run = { start: index, end: index + piece.length }
  }
  if (run) yield run
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
const LEAST_PIECE = 3

/**
 * Parts of a word. Each other word with at most that many slips has one of them at its place. Words of four
 * letters can have one slip, those of eight two: see `slipsAllowed`.
 */
export function piecesOf(word: string, slips: number): Piece[] {
  const { length } = word
  if (slips === 0) return [{ text: word, where: 'start', start: 0 }]
  const count = slips + 1
  const startOf = (piece: number): number =>
    Math.max(0, Math.min(Math.floor((piece * length) / count), length - LEAST_PIECE * (count - piece)))
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
