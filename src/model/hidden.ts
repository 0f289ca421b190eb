/** A piece of text that is not visible, and its replacement when the text is shown: nothing or a line end. */
interface HiddenPiece {
  start: number
  end: number
  shownAs: '' | '\n'
}

interface Range {
  from: number
  to: number
}

const range = (from: number, to = from): Range => ({ from, to })

/**
 * Characters without a visible shape: controls, the soft hyphen, fillers, and format characters that hide or
 * reorder their neighbors. Visible format characters, such as Arabic number signs, are not included.
 */
const invisible = [
  range(0x00, 0x08),
  range(0x0b, 0x1f),
  range(0x7f, 0x9f),
  range(0xad),
  range(0x34f),
  range(0x61c),
  range(0x115f, 0x1160),
  range(0x17b4, 0x17b5),
  range(0x180b, 0x180f),
  range(0x200b),
  range(0x200e, 0x200f),
  range(0x202a, 0x202e),
  range(0x2060, 0x206f),
  range(0x3164),
  range(0xfeff),
  range(0xffa0),
  range(0xfff0, 0xfffb),
]
const lineEnds = [range(0x85), range(0x2028, 0x2029)]
const joiners = [range(0x200c, 0x200d)]
const selectors = [range(0xfe00, 0xfe0f)]
/** High surrogates of which some pairs are invisible. */
const halves = [range(0xd82f), range(0xd834), range(0xdb40, 0xdb43)]

/** The hidden characters by kind, for scanning bytes. */
export const hiddenRanges = { invisible, lineEnds, joiners, selectors }

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`
const inClass = (...lists: (readonly Range[])[]): string =>
  lists
    .flat()
    .map(({ from, to }) => `${unit(from)}-${unit(to)}`)
    .join('')

/**
 * Format characters of shorthand and musical notation, tags, and the variation selectors that follow them.
 */
const invisiblePair = String.raw`(?:\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff])`
/** A visible character beyond ASCII. */
const visible = `[^\\0-\\x7f${inClass(invisible, lineEnds, joiners, selectors)}]`
/** A variation selector is meaningful after such a character and in a keycap. Anywhere else it only hides. */
const strayed = `(?:(?<!${visible})|(?<=${invisiblePair}))(?!(?<=[0-9#*])\\ufe0f\\u20e3)[${inClass(selectors)}]`
/** A joiner is meaningful between two such characters: in composed emoji, in Persian, in Indic scripts. */
const unjoined = `(?!(?<=${visible}\\ufe0f?)(?<!${invisiblePair}\\ufe0f?)[${inClass(joiners)}](?!${invisiblePair})${visible})[${inClass(joiners)}]`

/**
 * Sequences that a terminal executes: control strings (titles, links, the clipboard), control sequences
 * (colors, the cursor), and escapes of two or more characters. Of an unterminated control string only the
 * beginning is hidden. Terminals act on other control characters within a sequence and continue it; another
 * escape, `CAN` and `SUB` abort it.
 */
const within = String.raw`\0-\x08\x0b\x0c\x0e-\x17\x19\x1c-\x1f\x7f`
const controlsEndedBy = (backslash: string): string =>
  String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\0-\x08\x0a-\x1f\x7f-\x9f]*(?:\x07|\x1b${backslash}|\x9c)` +
  String.raw`|(?:\x1b[${within}]*\[|\x9b)[0-?${within}]*(?:[ -/][ -/${within}]*)?(?:[@-~]|(?=[\x18\x1a\x1b\x9b]))` +
  String.raw`|\x1b[ -/${within}]*[0-~]`

const patternEndedBy = (backslash: string): RegExp =>
  new RegExp(
    `(\\r\\n?|[${inClass(lineEnds)}])|${controlsEndedBy(backslash)}|[${inClass(invisible)}]|${invisiblePair}|${strayed}|${unjoined}`,
    'y',
  )

const hidden = patternEndedBy(String.raw`\\`)
/**
 * In a text with escaped backslashes, such as a line of JSON, the terminator `ESC \` has two or more of them.
 */
const hiddenInJson = patternEndedBy(String.raw`\\+`)

/** For each UTF-16 code unit, whether it may be hidden. */
const suspects = new Uint8Array(0x10000)
for (const { from, to } of [invisible, lineEnds, joiners, selectors, halves].flat())
  suspects.fill(1, from, to + 1)
const unusual = /[^\t\n\x20-\x7e]/g
const unusualInJson = /\\[u/bf]|[^\t\n\x20-\x7e]/g

/** A fast check. False means that the text contains nothing hidden. */
export const mayHide = (text: string): boolean => nextSuspect(text, 0, unusual) >= 0

/**
 * The same for text that may be JSON. False also means that it contains no escapes that stand for a
 * character.
 */
export const mayHideInJson = (text: string): boolean => nextSuspect(text, 0, unusualInJson) >= 0

/**
 * Index of the next character that may be hidden, or of the next escape if the pattern matches those. -1 if
 * there is none.
 */
function nextSuspect(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from
  while (pattern.test(text)) {
    const at = pattern.lastIndex - 1
    const code = text.charCodeAt(at)
    if (suspects[code] === 1 || (code > 0x1f && code < 0x7f)) return at
  }
  return -1
}

/** Yields every hidden piece in order. `escaped`: the backslashes of the text are still escaped. */
export function* hiddenPieces(text: string, escaped = false): Generator<HiddenPiece> {
  const pattern = escaped ? hiddenInJson : hidden
  for (let at = nextSuspect(text, 0, unusual); at >= 0; ) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    const end = at + (match?.[0].length ?? 1)
    if (match) yield { start: at, end, shownAs: match[1] === undefined ? '' : '\n' }
    at = nextSuspect(text, end, unusual)
  }
}

/** Replaces every hidden piece of a text. */
export function replaceHidden(text: string, by: (piece: string, shownAs: '' | '\n') => string): string {
  if (!mayHide(text)) return text
  let replaced = ''
  let copied = 0
  for (const { start, end, shownAs } of hiddenPieces(text)) {
    replaced += text.slice(copied, start) + by(text.slice(start, end), shownAs)
    copied = end
  }
  return replaced + text.slice(copied)
}

/** The text as a reader sees it. */
export const shownText = (text: string): string => replaceHidden(text, (_, shownAs) => shownAs)

/** Whether a name is shown as it is, in one line. */
export const isOneLine = (text: string): boolean => !/[\n\v\f\r]/.test(text) && shownText(text) === text

/** A name from a file in one line: line breaks are written as in JSON, hidden characters not at all. */
export const shownName = (name: string): string =>
  isOneLine(name) ? name : shownText(name.replace(/[\n\v\f\r\x85\u2028\u2029]/g, escapedBreak))

const escapedBreak = (unit: string): string =>
  unit === '\n' ? '\\n' : unit === '\r' ? '\\r' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The longest name that is shown of a model, a branch, an agent, a tool or a machine. */
const LONGEST_NAME = 60

/** The same for a name that is short by nature, cut where it is not. */
export function shortName(name: string): string {
  const shown = shownName(name)
  return shown.length <= LONGEST_NAME ? shown : `${shown.slice(0, LONGEST_NAME - 1).toWellFormed()}…`
}
