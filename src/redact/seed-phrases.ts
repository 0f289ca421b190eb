import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Finding } from './findings.ts'

/**
 * Seed phrases of wallets: at least twelve words of the list of BIP-39, with nothing but signs and numbers
 * between them.
 */

export const PHRASE_KIND = 'seed-phrase'
const LEAST_WORDS = 12
/** The fewest different words. Examples repeat one word. */
const LEAST_DIFFERENT = 6
const SHORTEST = 3
const LONGEST = 8
/** Characters between two words: a space, a line end, quotes and a comma, a number. */
const GAP = 16
/** Almost every phrase is longer than this and a gap, so that a look at every such distance meets it. */
const STRIDE = 48

type CodeAt = (at: number) => number

/** Whether a word may be in the list, by its first three letters. Refuses most words at once. */
let starts: Uint8Array | undefined
let list: Set<string> | undefined

const LETTERS = 26
const startOf = (one: number, two: number, three: number): number => (one * LETTERS + two) * LETTERS + three

function prepare(): Uint8Array {
  const made = new Uint8Array(LETTERS ** 3)
  list = new Set(wordlist)
  for (const word of wordlist) {
    const [one, two, three] = Array.from(word, (letter) => letter.charCodeAt(0) - 0x61)
    made[startOf(one!, two!, three!)] = 1
  }
  starts = made
  return made
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
const isBackslash = (code: number): boolean => code === 0x5c
const BACKSLASH = 0x5c

interface Word {
  start: number
  end: number
}

/** The word of the list around a position. */
function wordAt(codeAt: CodeAt, at: number, from: number, to: number): Word | undefined {
  let start = at
  while (start > from && at - start <= LONGEST && isLetter(codeAt(start - 1))) start--
  // The first letter may belong to an escape of a line end.
  if (start > from && isBackslash(codeAt(start - 1))) start++
  let end = at
  while (end < to && end - start <= LONGEST && isLetter(codeAt(end))) end++
  return isListed(codeAt, start, end) ? { start, end } : undefined
}

function isListed(codeAt: CodeAt, start: number, end: number): boolean {
  const length = end - start
  if (length < SHORTEST || length > LONGEST) return false
  const hash = startOf((codeAt(start) | 0x20) - 0x61, (codeAt(start + 1) | 0x20) - 0x61, (codeAt(start + 2) | 0x20) - 0x61)
  if ((starts ?? prepare())[hash] !== 1) return false
  return list!.has(textOf(codeAt, start, end).toLowerCase())
}

/** The next word behind a gap, or the one before it. Undefined if there is another word or too much else. */
function nextWord(codeAt: CodeAt, at: number, to: number): Word | undefined {
  let start = at
  while (start < to && start - at < GAP && !isLetter(codeAt(start))) start++
  if (start === at || start >= to || !isLetter(codeAt(start))) return undefined
  if (codeAt(start - 1) === BACKSLASH) {
    if (!/[nrt]/i.test(String.fromCharCode(codeAt(start)))) return undefined
    start++
    while (start < to && start - at < GAP && !isLetter(codeAt(start))) start++
  }
  let end = start
  while (end < to && end - start <= LONGEST && isLetter(codeAt(end))) end++
  return isListed(codeAt, start, end) ? { start, end } : undefined
}

function previousWord(codeAt: CodeAt, at: number, from: number): Word | undefined {
  let end = at
  // The letter of an escape, as in `\n`.
  if (end > from && codeAt(end - 1) === BACKSLASH) end--
  while (end > from && at - end < GAP && !isLetter(codeAt(end - 1))) end--
  if (end === at || end <= from) return undefined
  if (end >= from + 2 && codeAt(end - 2) === BACKSLASH) {
    end -= 2
    while (end > from && at - end < GAP && !isLetter(codeAt(end - 1))) end--
  }
  const found = wordAt(codeAt, end - 1, from, at)
  return found?.end === end ? found : undefined
}

function textOf(codeAt: CodeAt, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(codeAt(at))
  return text
}

/** Whether all gaps are the same, except for numbers, or white space. */
function isEven(gaps: readonly string[]): boolean {
  const shapes = new Set(gaps.map((gap) => gap.replace(/\\+[nrt]|\s+/g, ' ').replace(/\d+/g, '0')))
  return shapes.size === 1 && !/[{}[\]<>]/.test([...shapes][0]!)
}

/** All words of the list around one, without anything else between them. */
function runAround(codeAt: CodeAt, word: Word, from: number, to: number): Word[] {
  const before: Word[] = []
  for (let previous = previousWord(codeAt, word.start, from); previous; ) {
    before.push(previous)
    previous = previousWord(codeAt, previous.start, from)
  }
  const run = [...before.reverse(), word]
  for (let next = nextWord(codeAt, word.end, to); next; next = nextWord(codeAt, next.end, to)) run.push(next)
  return run
}

function isPhrase(codeAt: CodeAt, run: readonly Word[]): boolean {
  if (run.length < LEAST_WORDS) return false
  if (!isEven(run.slice(1).map(({ start }, at) => textOf(codeAt, run[at]!.end, start)))) return false
  const words = run.map(({ start, end }) => textOf(codeAt, start, end).toLowerCase())
  // The list itself is in the order of the alphabet.
  const rising = words.filter((word, at) => at > 0 && word > words[at - 1]!).length
  return new Set(words).size >= LEAST_DIFFERENT && rising < words.length - 2
}

function nextPhrase(codeAt: CodeAt, from: number, to: number): Word | undefined {
  for (let at = from; at < to; at += STRIDE) {
    let letter = at
    while (letter < to && letter - at < GAP && !isLetter(codeAt(letter))) letter++
    if (letter >= to || !isLetter(codeAt(letter))) continue
    const word = wordAt(codeAt, letter, from, to)
    if (word === undefined) continue
    const run = runAround(codeAt, word, from, to)
    const { end } = run.at(-1)!
    if (isPhrase(codeAt, run)) return { start: run[0]!.start, end }
    // No word is looked at twice.
    at = Math.max(at, end - STRIDE)
  }
  return undefined
}

/** Whether there is a seed phrase in UTF-8 bytes or in codes. */
export const holdsPhrase = (bytes: Uint8Array, start: number, end: number): boolean =>
  nextPhrase((at) => bytes[at]!, start, end) !== undefined

/** All seed phrases in a text, in order. */
export function findPhrases(text: string): Finding[] {
  const findings: Finding[] = []
  const codeAt = (at: number): number => text.charCodeAt(at)
  for (let from = 0; from < text.length; ) {
    const phrase = nextPhrase(codeAt, from, text.length)
    if (phrase === undefined) break
    findings.push({ kind: PHRASE_KIND, ...phrase })
    from = phrase.end
  }
  return findings
}
