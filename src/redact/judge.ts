/**
 * Decides whether a value in the position of a secret is one. Its shape is not enough, because documentation,
 * type annotations and source code have values in the same positions.
 */

import { isCounted, isWholePlaceholder } from './placeholders.ts'

const placeholderInside =
  /example|change.?me|placeholder|redacted|dummy|sample|your|insert[-_]|x{4}|X{4}|\*{3}|•{2}|\.{3}|…|<|\{\{|\$[{(]/i
export const dottedName = /^!?[A-Za-z_$][\w$]{0,23}(?:(?:\?\.|[.?])[A-Za-z_$][\w$]{0,23})+$/
export const identifier = /^[A-Za-z_$][\w$]*$/
export const codeVocabulary =
  /token|passw|secret|cred|auth|user|hash|value|string|base64|sha\d|md5|utf8|bcrypt|argon|param|config|input|field|result|key$/i

/** Shannon entropy in bits per character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** For random keys: if one contains `example` or `your`, a person wrote it. */
const isPlaceholder = (value: string): boolean => placeholderInside.test(value) || isWholePlaceholder(value)

/** For values whose prefix identifies them: anything that is not obviously made up. */
export function isPlausible(value: string): boolean {
  return !isPlaceholder(value) && entropy(value) >= 2.5
}

/** For values that only remain to be distinguished from `xxxx` or `0000`. */
export function isVaried(value: string): boolean {
  return entropy(value) >= 3
}

/** The secret of an AWS access key id. One in 64 begins like a path. */
export function isAmazonSecret(value: string, quoted: boolean): boolean {
  return (/^[A-Za-z0-9+/]{40}$/.test(value) && entropy(value) >= 4) || isAssignedKey(value, quoted)
}

/**
 * For values that may be words. Random text often changes between digits, lower and upper case; words and
 * identifiers rarely do. A capital at the beginning of a word does not count as a change.
 */
export function looksRandom(value: string): boolean {
  if (!isPlausible(value)) return false
  let changes = 0
  let letters = 0
  let previous = ''
  for (const character of value) {
    const current = characterClass(character)
    if (current === 'other') continue
    letters++
    if (previous !== '' && current !== previous && !(previous === 'capital' && current === 'small')) changes++
    previous = current
  }
  return entropy(value) >= 3 && changes >= letters * 0.2
}

/** For short prefixes: random text, or one run of letters and digits, unlike names in kebab-case. */
export function looksLikeKey(value: string): boolean {
  return looksRandom(value) || (isPlausible(value) && /\d/.test(value) && /[A-Za-z0-9]{20}/.test(value))
}

/** Several values or an object, in brackets. */
export const isList = (value: string): boolean => /^[[{].*[\]}]$/.test(value)

/**
 * For a value assigned to a name such as `token` or `api_key`. Quoted values are literals; bare ones may be
 * code.
 */
export function isAssignedKey(value: string, quoted: boolean): boolean {
  if (value.length < 10 || isList(value) || !isPlausible(value) || entropy(value) < 3) return false
  if (dottedName.test(value) || !/[A-Za-z]/.test(value)) return false
  if (!/\d/.test(value)) return quoted && looksRandom(value)
  if (quoted && !identifier.test(value)) return true
  return !codeVocabulary.test(value) || looksRandom(value)
}

/** A key of digits alone. A shorter number, or one that repeats a few digits, is a count or a time. */
export const isNumericKey = (value: string): boolean =>
  /^\d{9,64}$/.test(value) && entropy(value) >= 2 && !isCounted(value)

/** For a value in a sentence, such as `the token is …`. What follows a name there is usually a word. */
export function isStatedKey(value: string, quoted: boolean): boolean {
  return value.length >= 16 && /\d/.test(value) && isAssignedKey(value, quoted) && looksLikeKey(value)
}

export function characterClass(character: string): 'digit' | 'small' | 'capital' | 'other' {
  if (character >= '0' && character <= '9') return 'digit'
  if (character >= 'a' && character <= 'z') return 'small'
  if (character >= 'A' && character <= 'Z') return 'capital'
  // Letters outside ASCII belong to words of some language, not to punctuation.
  return character > '\x7f' ? 'small' : 'other'
}
