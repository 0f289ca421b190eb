import { HAPPENED } from './lexicon.ts'
import { MASKS } from './sentences.ts'

const WORD = /(?<![\p{L}\p{N}_])\p{Lu}[\p{L}\p{N}_]*(?:['’.-][\p{L}\p{N}_]+)*/gu
const CAMEL =
  /(?<![\p{L}\p{N}_./-])(?:\p{Ll}+\p{Lu}[\p{L}\p{N}]*|\p{Ll}[\p{L}\p{N}]*_[\p{L}\p{N}_]+)(?![\p{L}\p{N}/.])/gu
/** A letter inside is upper case, or there are digits: no word of a language looks like this. */
const SPECIAL = /\p{L}\p{Lu}|\d/u
const ACRONYM = /^[\p{Lu}\d]{2,6}s?$/u
/** After these, a sentence begins, so that a capital means nothing. */
const BEGINS = new RegExp(`(?:^|[:.!?—·•(*|>/#-]|[${Object.values(MASKS).join('')}])\\s*$`)
/** A name in a text. An acronym is common knowledge if any record contains it. */
export interface FoundName {
  name: string
  acronym: boolean
}

/**
 * The names in the words of a sentence. A word at its beginning is one if nothing knows it in lower case and
 * it does something. Nouns have capitals in German, so only special words are names there.
 */
export function namesIn(words: string, german: boolean, isKnown: (word: string) => boolean): FoundName[] {
  const found: FoundName[] = []
  for (const { index, 0: whole } of words.matchAll(WORD)) {
    const name = whole.replace(/['’]s$/, '').replace(/\.$/, '')
    const acronym = ACRONYM.test(name)
    const isFirst = BEGINS.test(words.slice(0, index))
    const next = /^\s+([\p{L}]+)/u.exec(words.slice(index + whole.length))?.[1] ?? ''
    const acts = !isKnown(name) && HAPPENED.test(next)
    const isName = SPECIAL.test(name) || acronym || (isFirst ? acts : !german)
    if (isName && name.length > 1) found.push({ name, acronym })
  }
  for (const [name] of words.matchAll(CAMEL)) found.push({ name, acronym: false })
  return found
}
