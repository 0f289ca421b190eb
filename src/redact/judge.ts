/**
 * Decides whether a value that stands where a secret would stand is one.
 * A shape alone says too little: documentation, type annotations and source code stand in the same places.
 */

import { isWholePlaceholder } from './placeholders.ts'

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

/** For keys, which chance makes: `example` or `your` in one says that somebody else did. */
const isPlaceholder = (value: string): boolean => placeholderInside.test(value) || isWholePlaceholder(value)

/** For values whose prefix already says what they are: anything that somebody did not plainly make up. */
export function isPlausible(value: string): boolean {
  return !isPlaceholder(value) && entropy(value) >= 2.5
}

/** For values whose place and letters say all but whether somebody left the place open, with `xxxx` or `0000`. */
export function isVaried(value: string): boolean {
  return entropy(value) >= 3
}

/** The secret that belongs to the id of a key at Amazon; one in 64 begins like a path. */
export function isAmazonSecret(value: string, quoted: boolean): boolean {
  return (/^[A-Za-z0-9+/]{40}$/.test(value) && entropy(value) >= 4) || isAssignedKey(value, quoted)
}

/**
 * For values that could also be words: random text changes between digits, small and capital letters all the time,
 * words and identifiers seldom. A capital that opens a word does not count as a change.
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

/** The judge of short prefixes: random, or one solid run of letters and digits, which no kebab-case name is. */
export function looksLikeKey(value: string): boolean {
  return looksRandom(value) || (isPlausible(value) && /\d/.test(value) && /[A-Za-z0-9]{20}/.test(value))
}

/** Several values, or an object, in brackets. */
export const isList = (value: string): boolean => /^[[{].*[\]}]$/.test(value)

/** For a value assigned to a name such as `token` or `api_key`; `quoted` values are literals, bare ones may be code. */
export function isAssignedKey(value: string, quoted: boolean): boolean {
  if (value.length < 10 || isList(value) || !isPlausible(value) || entropy(value) < 3) return false
  if (dottedName.test(value) || !/[A-Za-z]/.test(value)) return false
  if (!/\d/.test(value)) return quoted && looksRandom(value)
  if (quoted && !identifier.test(value)) return true
  return !codeVocabulary.test(value) || looksRandom(value)
}

/** For a value that no sign assigns, as in `the token is …`: what stands after a name in a sentence is a word as a rule. */
export function isStatedKey(value: string, quoted: boolean): boolean {
  return value.length >= 16 && /\d/.test(value) && isAssignedKey(value, quoted) && looksLikeKey(value)
}

export function characterClass(character: string): 'digit' | 'small' | 'capital' | 'other' {
  if (character >= '0' && character <= '9') return 'digit'
  if (character >= 'a' && character <= 'z') return 'small'
  if (character >= 'A' && character <= 'Z') return 'capital'
  // Letters outside ASCII are words of some language (a label, as a rule), not punctuation.
  return character > '\x7f' ? 'small' : 'other'
}
