/**
 * Characters of which the full-text index (unicode61) makes words. Source of a regular expression with the
 * flag `v`.
 */
export const TOKEN = String.raw`[\p{L}\p{N}\p{Co}]`

/**
 * Scripts written without spaces between words, and Korean, whose words carry endings. A subset of `TOKEN`.
 */
export const CJK = String.raw`[[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]&&${TOKEN}]--[\0-\u10ff]]`

const token = new RegExp(TOKEN, 'v')
const cjk = new RegExp(CJK, 'v')

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => (token.test(String.fromCharCode(code)) ? 1 : 0))

/** Whether the character at this index belongs to a word. False outside the text. */
export function isTokenAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 128) return ASCII[code] === 1
  return code >= 128 && token.test(characterAt(text, index))
}

export function isCjkAt(text: string, index: number): boolean {
  return text.charCodeAt(index) >= 0x1100 && cjk.test(characterAt(text, index))
}

/** The whole character at an index, including both halves of a surrogate pair. */
function characterAt(text: string, index: number): string {
  const start = isInsideOfPair(text, index) ? index - 1 : index
  return String.fromCodePoint(text.codePointAt(start)!)
}

/** Whether this index is inside a surrogate pair. */
export function isInsideOfPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800
}
