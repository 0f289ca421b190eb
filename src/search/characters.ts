import { once } from './once.ts'

/**
 * Characters of which the full-text index (unicode61) makes words. Source of a regular expression with the
 * flag `v`.
 */
export const TOKEN = String.raw`[\p{L}\p{N}\p{Co}]`

/**
 * Scripts written without spaces between words, and Korean, whose words carry endings. A subset of `TOKEN`.
 */
export const CJK = String.raw`[[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]&&${TOKEN}]--[\0-\u10ff]]`

const token = once(() => new RegExp(TOKEN, 'v'))
const cjk = once(() => new RegExp(CJK, 'v'))
const notCjk = once(() => new RegExp(`[^${CJK}]`, 'v'))

const foreign = /[^\0-\x7f]/

/**
 * Whether a text consists of ASCII. Such texts are treated alike by simpler patterns, without those that have
 * sets of Unicode.
 */
export const isAscii = (text: string): boolean => !foreign.test(text)

const ASCII = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Whether the character at this index belongs to a word. False outside the text. */
export function isTokenAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 128) return ASCII[code] === 1
  return code >= 128 && token().test(characterAt(text, index))
}

export function isCjkAt(text: string, index: number): boolean {
  return text.charCodeAt(index) >= 0x1100 && cjk().test(characterAt(text, index))
}

/** Whether the index can find anything of a text: a character of a word. */
export const hasTokens = (text: string): boolean =>
  /[0-9A-Za-z]/.test(text) || (!isAscii(text) && token().test(text))

export const hasCjk = (text: string): boolean => !isAscii(text) && cjk().test(text)

/** Whether all characters are Chinese, Japanese or Korean. */
export const isAllCjk = (text: string): boolean => !notCjk().test(text)

/** The whole character at an index, including both halves of a surrogate pair. */
function characterAt(text: string, index: number): string {
  const start = isInsideOfPair(text, index) ? index - 1 : index
  return String.fromCodePoint(text.codePointAt(start)!)
}

/** Whether this index is inside a surrogate pair. */
export function isInsideOfPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800
}
