import { wordlist } from '@scure/bip39/wordlists/english.js'
import { lowBytesOf, PIECE } from '../byte-search.ts'
import type { Finding } from '../findings.ts'

/**
 * Seed phrases of wallets: at least twelve words of the list of BIP-39 in a row, with the same between any
 * two of them. They need no word next to them, so they are searched everywhere, a word at each stride: a
 * stride is shorter than almost any phrase.
 */

export const PHRASE_KIND = 'seed-phrase'
const LEAST_WORDS = 12
/** The fewest different words. Examples repeat one word. */
const LEAST_DIFFERENT = 6
const SHORTEST = 3
const LONGEST = 8
/** Characters between two words: a space, a line end, quotes and a comma, a number. */
const GAP = 12
const STRIDE = 64
/** Twelve words of three letters. */
const LEAST = 47
const BACKSLASH = 0x5c

interface Range {
  start: number
  end: number
}

/** The numbers of the words by a hash of their first four letters, which no two share. */
const BITS = 14
let numbers: Uint16Array | undefined

const hashOf = (one: number, two: number, three: number, four: number): number =>
  Math.imul(
    (one & 0x1f) | ((two & 0x1f) << 5) | ((three & 0x1f) << 10) | ((four & 0x1f) << 15),
    0x9e3779b1,
  ) >>>
  (32 - BITS)

function prepare(): Uint16Array {
  const made = new Uint16Array((1 << BITS) + 64)
  // Every start of the program does this, so it allocates nothing else.
  for (let at = 0; at < wordlist.length; at++) {
    const word = wordlist[at]!
    // The code of a missing fourth letter is NaN, which counts as zero.
    let slot = hashOf(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2), word.charCodeAt(3))
    while (made[slot] !== 0) slot++
    made[slot] = at + 1
  }
  return made
}

/** In any case. Whatever is before `a` becomes a large number. */
const isLetter = (byte: number): boolean => ((byte | 0x20) - 0x61) >>> 0 < 26

/** Whether a range holds a word of the list, in any case. */
function isListed(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length < SHORTEST || length > LONGEST) return false
  numbers ??= prepare()
  const four = length > SHORTEST ? bytes[start + 3]! : 0
  let slot = hashOf(bytes[start]!, bytes[start + 1]!, bytes[start + 2]!, four)
  for (let number = numbers[slot]!; number !== 0; number = numbers[++slot]!) {
    const word = wordlist[number - 1]!
    if (word.length !== length) continue
    let same = 0
    while (same < length && word.charCodeAt(same) === (bytes[start + same]! | 0x20)) same++
    if (same === length) return true
  }
  return false
}

/** Whether the letter at a position is the end of an escape, as in `\n`. */
const isEscape = (bytes: Uint8Array, at: number, from: number): boolean =>
  at > from && bytes[at - 1]! === BACKSLASH

/** The end of the word that begins at a position, or -1 if it is not in the list. */
function endOfWord(bytes: Uint8Array, start: number, to: number): number {
  let end = start
  while (end < to && end - start <= LONGEST && isLetter(bytes[end]!)) end++
  return isListed(bytes, start, end) ? end : -1
}

/** The start of the word that ends at a position, or -1 if it is not in the list. */
function startOfWord(bytes: Uint8Array, end: number, from: number): number {
  let start = end
  while (start > from && end - start <= LONGEST && isLetter(bytes[start - 1]!)) start--
  if (isEscape(bytes, start, from)) start++
  return isListed(bytes, start, end) ? start : -1
}

/** Where the next word begins behind a gap, or -1. The letter of an escape is no word. */
function nextStart(bytes: Uint8Array, end: number, to: number, from = end): number {
  let at = end
  while (at < to && at - end < GAP && (!isLetter(bytes[at]!) || isEscape(bytes, at, from))) at++
  return at < to && isLetter(bytes[at]!) ? at : -1
}

/** Where the previous word ends before a gap, or -1. */
function previousEnd(bytes: Uint8Array, start: number, from: number): number {
  let at = start
  while (at > from && start - at < GAP && (!isLetter(bytes[at - 1]!) || isEscape(bytes, at - 1, from))) at--
  return at > from && isLetter(bytes[at - 1]!) ? at : -1
}

/** Where the words of the list in a row from one end, and how many there are: ahead of it, */
let reached = 0
let passed = 0

function goAhead(bytes: Uint8Array, end: number, to: number): void {
  reached = end
  passed = 0
  for (;;) {
    const next = nextStart(bytes, reached, to)
    const stop = next < 0 ? -1 : endOfWord(bytes, next, to)
    if (stop < 0) return
    reached = stop
    passed++
  }
}

/** and behind it. */
function goBack(bytes: Uint8Array, start: number, from: number): void {
  reached = start
  passed = 0
  for (;;) {
    const previous = previousEnd(bytes, reached, from)
    const begin = previous < 0 ? -1 : startOfWord(bytes, previous, from)
    if (begin < 0) return
    reached = begin
    passed++
  }
}

/** The phrase in a run: the part in which the same is between any two words. */
function phraseIn(bytes: Uint8Array, { start, end }: Range): Range | undefined {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!)
  // The letter of an escape is no word.
  text = text.replace(/(?<!\\)\\+[nrt]/g, ({ length }) => ' '.repeat(length))
  const words = Array.from(text.matchAll(/[A-Za-z]+/g), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    first: index,
    last: index + word.length,
  }))
  for (let from = 0, to = 1; from < words.length; from = to++) {
    const gap = gapBetween(text, words[from]!, words[to])
    while (to < words.length && gapBetween(text, words[to - 1]!, words[to]) === gap) to++
    if (!ofFields.test(gap) && isPhrase(words.slice(from, to).map(({ word }) => word)))
      return { start: start + words[from]!.first, end: start + words[to - 1]!.last }
    if (to < words.length && to - from > 1) to--
  }
  return undefined
}

/** Between names of fields, and in nested data. */
const ofFields = /["'`]\s?[:=]|[{}[\]<>]/

/** What is between two words, whatever its line ends and numbers. */
const gapBetween = (text: string, one: { last: number }, other: { first: number } | undefined): string =>
  text.slice(one.last, other?.first).replace(/\s+/g, ' ').replace(/\d+/g, '0')

function isPhrase(words: readonly string[]): boolean {
  if (words.length < LEAST_WORDS) return false
  // The list itself is in the order of the alphabet.
  const rising = words.filter((word, at) => at > 0 && word > words[at - 1]!).length
  return new Set(words).size >= LEAST_DIFFERENT && rising < words.length - 2
}

/** The bytes next to a word of a phrase. */
const beside = new Uint8Array(256)
for (const sign of ' \n\r\t,;.:|-\\"\'`*)nrt') beside[sign.charCodeAt(0)] = 1

function nextPhrase(bytes: Uint8Array, from: number, to: number): Range | undefined {
  if (to - from < LEAST) return undefined
  for (let at = from; at < to; at += STRIDE) {
    let start = at
    if (isLetter(bytes[at]!))
      while (start > from && at - start <= LONGEST && isLetter(bytes[start - 1]!)) start--
    start = nextStart(bytes, start, to, from)
    if (start < 0 || (start > from && !beside[bytes[start - 1]!])) continue
    const end = endOfWord(bytes, start, to)
    if (end < 0 || (end < to && !beside[bytes[end]!])) continue
    goAhead(bytes, end, to)
    const last = reached
    const ahead = passed
    goBack(bytes, start, from)
    if (1 + ahead + passed >= LEAST_WORDS) {
      const phrase = phraseIn(bytes, { start: reached, end: last })
      if (phrase !== undefined) return phrase
    }
    // No word is looked at twice.
    if (last - STRIDE > at) at = last - STRIDE
  }
  return undefined
}

/** Whether there is a seed phrase in UTF-8 bytes. */
export const holdsPhrase = (bytes: Uint8Array, start: number, end: number): boolean =>
  nextPhrase(bytes, start, end) !== undefined

/** How many characters of a piece are searched again with the next one. */
const OVERLAP = 1024

/** All seed phrases in a text, in order. */
export function findPhrases(text: string): Finding[] {
  const findings: Finding[] = []
  if (text.length < LEAST) return findings
  let done = 0
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    const piece = text.length <= PIECE ? text : text.slice(from, from + PIECE)
    const low = lowBytesOf(piece)
    for (let phrase = nextPhrase(low, Math.max(0, done - from), piece.length); phrase; ) {
      const [start, end] = [from + phrase.start, from + phrase.end]
      // Characters beyond ASCII have low bytes that look like letters.
      if (isAscii.test(text.slice(start, end))) findings.push({ kind: PHRASE_KIND, start, end })
      done = end
      phrase = nextPhrase(low, phrase.end, piece.length)
    }
  }
  return findings
}

const isAscii = /^[\x00-\x7f]*$/
