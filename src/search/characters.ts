/** What the full-text index (unicode61) makes words of. A source for regular expressions with the flag `v`. */
export const TOKEN = String.raw`[\p{L}\p{N}\p{Co}]`

/** Scripts written without spaces between words, and Korean, whose words carry endings. Only what is in `TOKEN`. */
export const CJK = String.raw`[[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]&&${TOKEN}]--[\0-\u10ff]]`

const token = new RegExp(TOKEN, 'v')
const cjk = new RegExp(CJK, 'v')

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => (token.test(String.fromCharCode(code)) ? 1 : 0))

/** Whether the character that covers this place belongs to a word. Outside of the text: no. */
export function isTokenAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (code < 128) return ASCII[code] === 1
  return code >= 128 && token.test(characterAt(text, index))
}

export function isCjkAt(text: string, index: number): boolean {
  return text.charCodeAt(index) >= 0x1100 && cjk.test(characterAt(text, index))
}

/** The whole character that covers a place, both halves of it. */
function characterAt(text: string, index: number): string {
  const start = isInsideOfPair(text, index) ? index - 1 : index
  return String.fromCodePoint(text.codePointAt(start)!)
}

/** Whether a cut here would part the two halves of a character. */
export function isInsideOfPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800
}
