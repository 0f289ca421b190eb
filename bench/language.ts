import { createRandom } from './invent.ts'

/** An invented language. Lists that have an order begin with the most frequent. */
export interface Language {
  words: readonly string[]
  /** Common sequences of words. */
  phrases: readonly string[]
  /** Names in code. */
  identifiers: readonly string[]
  /** Chinese, Japanese and Korean words of two to four characters. */
  eastern: readonly string[]
}

const WORDS = 40_000
const PHRASES = 3000
const IDENTIFIERS = 6000
const EASTERN = 2500
/** The most frequent words of any natural vocabulary. */
const COMMON =
  'the to and a of in it is that for this on with be so as not we are from file now let have but can test if me then at by or when should there all run line code check need will one which also first new use does only no what'.split(
    ' ',
  )
const OPENINGS = 'b br c ch d dr f fl g gr h k l m n p pl pr r s sh st t tr v w'.split(' ')
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'io']
const CLOSINGS = ['', '', '', 'l', 'n', 'r', 's', 't', 'm', 'nd', 'st']
const ENDINGS = ['', '', '', '', 's', 'ed', 'ing', 'er', 'ly', 'ion']

export const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!

/** Always the same language. */
export function inventLanguage(): Language {
  const random = createRandom(40)
  const words = new Set<string>()
  while (words.size < WORDS - COMMON.length) words.add(inventWord(random))
  // Frequent words are short.
  const effort = new Map([...words].map((word) => [word, word.length + random() * 6]))
  const list = [...new Set([...COMMON, ...[...words].sort((a, b) => effort.get(a)! - effort.get(b)!)])]
  const drawWord = drawer(random, list)
  const phrases = new Set<string>()
  while (phrases.size < PHRASES) {
    const length = 2 + Math.floor(random() * 2)
    phrases.add(Array.from({ length }, () => list[60 + Math.floor(random() * 6000)]!).join(' '))
  }
  const identifiers = new Set<string>()
  while (identifiers.size < IDENTIFIERS) identifiers.add(inventIdentifier(random, drawWord))
  const eastern = new Set<string>()
  while (eastern.size < EASTERN) eastern.add(inventEastern(random))
  return { words: list, phrases: [...phrases], identifiers: [...identifiers], eastern: [...eastern] }
}

function inventWord(random: () => number): string {
  const syllables = 1 + Math.floor(random() * random() * 3.5)
  let word = ''
  for (let count = 0; count < syllables; count++)
    word += pick(random, OPENINGS) + pick(random, VOWELS) + pick(random, CLOSINGS)
  return word + pick(random, ENDINGS)
}

/** `loadBasket`, `LoadBasket` or `load_basket`. */
export function inventIdentifier(random: () => number, drawWord: () => string): string {
  const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, drawWord)
  const kind = random()
  if (kind < 0.25) return parts.join('_')
  const large = parts.map((part) => `${part[0]!.toUpperCase()}${part.slice(1)}`)
  return kind < 0.5 ? large.join('') : `${parts[0]}${large.slice(1).join('')}`
}

function inventEastern(random: () => number): string {
  const kind = random()
  const [from, count] = kind < 0.6 ? [0x4e00, 900] : kind < 0.8 ? [0x30a1, 80] : [0xac00, 1200]
  const length = kind < 0.6 ? 2 : 2 + Math.floor(random() * 3)
  return String.fromCharCode(...Array.from({ length }, () => from + Math.floor(random() * count)))
}

/** Draws from a list with frequencies as in natural language (Zipf, Mandelbrot). */
export function drawer<T>(random: () => number, list: readonly T[]): () => T {
  const weights = list.map((_, rank) => 1 / (rank + 2.7))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  // A lookup table, because there are hundreds of millions of draws.
  const table = new Uint16Array(1 << 21)
  let rank = 0
  let reached = weights[0]! / sum
  for (let slot = 0; slot < table.length; slot++) {
    while (slot / table.length >= reached && rank < list.length - 1) reached += weights[++rank]! / sum
    table[slot] = rank
  }
  return () => list[table[Math.floor(random() * table.length)]!]!
}
