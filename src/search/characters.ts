import { HAN_VARIANTS } from './han-variants.ts'

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

const SPACES = ' \u00a0\u202f'
const CLOSING = String.raw`["'”’»)\]*_~!…]{0,8}\.{0,3}`
/**
 * A question mark that ends a sentence, unlike that of an address, a regular expression or a condition in
 * code. One behind a space, as in French, is at the end of a line, or a capital follows. Source of a pattern
 * with the flag `u`, which ClickHouse understands, too.
 */
export const QUESTION = [
  '？',
  String.raw`[^\s?][?؟]+(?:${CLOSING}(?:\s|$|</|[🌀-🫿])|\]\()`,
  String.raw`[^\s?,][${SPACES}][?؟]+${CLOSING}(?:\s*(?:\n|$)|\s+[A-ZÀ-Ý])`,
  String.raw`^\s*[?؟]+\s*$`,
].join('|')

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

/**
 * A text in the form the index compares: lower case, Latin letters without accents, simplified Chinese,
 * composed characters.
 */
export interface Folded {
  text: string
  /** The original index of each UTF-16 unit, and one more for the end. Absent if no index has changed. */
  offsets?: Uint32Array
}

/** Combining marks that unicode61 allows inside a word and removes. Other marks end a word. */
export const MARKS = String.raw`\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331`

const uncommon = new RegExp(
  `[\u00b5\u00c0-\u024f\u1e00-\u1eff\u03c2${MARKS}]|[\u3099\u309a]|[\u1100-\u1112][\u1161-\u1175]`,
)
const han = /[\u4e00-\u9fff]/
const latin = /[\u00c0-\u024f\u1e00-\u1eff]/g
const shrinking = new RegExp(
  `[${MARKS}]+|[\u3040-\u30ff][\u3099\u309a]|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?`,
  'g',
)

export function fold(text: string): Folded {
  const lower = text.toLowerCase()
  // Most texts end here. This test is much cheaper than the following ones.
  if (isAscii(lower)) return { text: lower }
  const isHan = han.test(lower)
  if (!uncommon.test(lower)) return { text: isHan ? simplify(lower) : lower }
  // The one character whose lower case is longer, the sigma that changes at the end of a word, and the micro
  // sign.
  const even = text
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('µ', 'μ')
    .replace(latin, (letter) => baseOf(letter))
  return shrink(isHan ? simplify(even) : even)
}

/** Composes characters that macOS decomposes in file names: kana with voice marks and Korean syllables. */
export function compose(text: string): string {
  return text.replace(shrinking, (pieces) => (pieces >= '\u1100' ? pieces.normalize('NFC') : pieces))
}

const bases = new Map<string, string>()

/** `e` for `é`. Letters such as `ø`, which are not composed, remain. */
function baseOf(letter: string): string {
  let base = bases.get(letter)
  if (base === undefined) {
    const pieces = letter.normalize('NFD')
    base = /^[a-z]/.test(pieces) ? pieces[0]! : letter
    bases.set(letter, base)
  }
  return base
}

/** Removes marks and composes characters, and records the original indexes. */
function shrink(text: string): Folded {
  const pieces: string[] = []
  let offsets: Uint32Array | undefined
  let length = 0
  let done = 0
  const keep = (piece: string, from: number): void => {
    pieces.push(piece)
    for (let index = 0; index < piece.length; index++) offsets![length++] = from + index
  }
  for (const match of text.matchAll(shrinking)) {
    offsets ??= new Uint32Array(text.length + 1)
    keep(text.slice(done, match.index), done)
    if (match[0] >= '\u1100') keep(match[0].normalize('NFC'), match.index)
    done = match.index + match[0].length
  }
  if (!offsets) return { text }
  keep(text.slice(done), done)
  offsets[length] = text.length
  return { text: pieces.join(''), offsets: offsets.subarray(0, length + 1) }
}

const variants = once(() => {
  const simplified = new Map<string, string>()
  for (let at = 0; at < HAN_VARIANTS.length; at += 2) simplified.set(HAN_VARIANTS[at]!, HAN_VARIANTS[at + 1]!)
  return {
    simplified,
    traditional: new RegExp(`[${[...simplified.keys()].join('')}]`, 'g'),
    written: new RegExp(`[${[...new Set(simplified.values())].join('')}]`),
  }
})

/** Converts Chinese to simplified characters. Indexes stay the same. */
export function simplify(text: string): string {
  if (isAscii(text)) return text
  const { simplified, traditional } = variants()
  return text.replace(traditional, (character) => simplified.get(character)!)
}

/** Whether any character has another way of writing it. */
export function hasVariants(text: string): boolean {
  return !isAscii(text) && (variants().written.test(text) || simplify(text) !== text)
}

/** Where a new word begins in a name such as `createScorer` or `HTTPServer`. */
const HUMP = once(() => /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu)
const ASCII_HUMP = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g
/** What joins the words of `snake_case` and `kebab-case`. */
const JOINT = once(() => /(?<=[\p{L}\p{N}])[-_](?=[\p{L}\p{N}])/gu)
const ASCII_JOINT = /(?<=[a-z\d])[-_](?=[a-z\d])/gi

/**
 * The spellings of a name, the typed one first: `userName`, `user_name` and `user-name` are the same. A
 * quoted text has only one.
 */
export function spellingsOf({ text, phrase }: { text: string; phrase: boolean }): string[] {
  if (phrase) return [text]
  const [hump, joint] = isAscii(text) ? [ASCII_HUMP, ASCII_JOINT] : [HUMP(), JOINT()]
  return [...new Set([text, text.replace(hump, ' '), text.replace(joint, '')])]
}

/**
 * A value that is made when it is first needed. For what takes long to make and many commands never use, such
 * as patterns with sets of Unicode: V8 takes half a millisecond to create each.
 *
 * @example const letters = once(() => /[\p{L}--[a-z]]/v); letters().test('ä')
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
