/** A piece of a text that nobody sees, and what stands in its place once the text is shown: nothing, or a line end. */
export interface HiddenPiece {
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
 * Characters without a shape of their own: controls, the soft hyphen, fillers, and format characters that hide or turn around what is
 * beside them. Visible format characters, such as the number signs of Arabic, are not among them.
 */
const invisible = [
  ...[range(0x00, 0x08), range(0x0b, 0x1f), range(0x7f, 0x9f), range(0xad), range(0x34f), range(0x61c)],
  ...[range(0x115f, 0x1160), range(0x17b4, 0x17b5), range(0x180b, 0x180f), range(0x200b)],
  ...[range(0x200e, 0x200f), range(0x202a, 0x202e), range(0x2060, 0x206f), range(0x3164), range(0xfeff)],
  ...[range(0xffa0), range(0xfff0, 0xfffb)],
]
const lineEnds = [range(0x85), range(0x2028, 0x2029)]
const joiners = [range(0x200c, 0x200d)]
const selectors = [range(0xfe00, 0xfe0f)]
/** First halves of characters beyond the first plane, some of which are invisible. */
const halves = [range(0xd82f), range(0xd834), range(0xdb40, 0xdb43)]

/** The same by kind, for who looks for them in bytes. */
export const hiddenRanges = { invisible, lineEnds, joiners, selectors }

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`
const inClass = (...lists: (readonly Range[])[]): string =>
  lists
    .flat()
    .map(({ from, to }) => `${unit(from)}-${unit(to)}`)
    .join('')

/** Formatting of shorthand and music, tags, and the variation selectors behind them. */
const invisiblePair = String.raw`(?:\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff])`
/** A visible character beyond ASCII. */
const visible = `[^\\0-\\x7f${inClass(invisible, lineEnds, joiners, selectors)}]`
/** A variation selector has a purpose behind such a character, and in a keycap; anywhere else it only hides. */
const strayed = `(?:(?<!${visible})|(?<=${invisiblePair}))(?!(?<=[0-9#*])\\ufe0f\\u20e3)[${inClass(selectors)}]`
/** A joiner has one between two such characters: in emoji of several parts, in Persian, in scripts of India. */
const unjoined = `(?!(?<=${visible}\\ufe0f?)(?<!${invisiblePair}\\ufe0f?)[${inClass(joiners)}](?!${invisiblePair})${visible})[${inClass(joiners)}]`

/**
 * What a terminal obeys: control strings (titles, links, the clipboard), control sequences (colours, the cursor), and escapes of two or
 * more characters. A control string that no terminator ends loses only its beginning.
 */
const controlsEndedBy = (backslash: string): string =>
  String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\0-\x08\x0a-\x1f\x7f-\x9f]*(?:\x07|\x1b${backslash}|\x9c)` +
  String.raw`|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]`

const patternEndedBy = (backslash: string): RegExp =>
  new RegExp(
    `(\\r\\n?|[${inClass(lineEnds)}])|${controlsEndedBy(backslash)}|[${inClass(invisible)}]|${invisiblePair}|${strayed}|${unjoined}`,
    'y',
  )

const hidden = patternEndedBy(String.raw`\\`)
/** In a text whose backslashes are still escaped, as in a line of JSON, the terminator `ESC \` has two or more of them. */
const hiddenInJson = patternEndedBy(String.raw`\\+`)

/** Of each code whether it may be hidden. */
const suspects = new Uint8Array(0x10000)
for (const { from, to } of [invisible, lineEnds, joiners, selectors, halves].flat())
  suspects.fill(1, from, to + 1)
const unusual = /[^\t\n\x20-\x7e]/g
const unusualInJson = /\\[u/bf]|[^\t\n\x20-\x7e]/g

/** A quick look: false means that all of the text is seen. */
export const mayHide = (text: string): boolean => nextSuspect(text, 0, unusual) >= 0

/** The same of a text that may be JSON: false means that no escape stands for a character, either. */
export const mayHideInJson = (text: string): boolean => nextSuspect(text, 0, unusualInJson) >= 0

/** Where the next character is that may be hidden, or the next escape where the pattern finds those; -1 where none is. */
function nextSuspect(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from
  while (pattern.test(text)) {
    const at = pattern.lastIndex - 1
    const code = text.charCodeAt(at)
    if (suspects[code] === 1 || (code > 0x1f && code < 0x7f)) return at
  }
  return -1
}

/** Every piece that a reader does not see, in order. `escaped`: the backslashes of the text are still escaped. */
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

/** The text with something else in the place of every such piece. */
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

/** The text as its readers see it. */
export const shownText = (text: string): string => replaceHidden(text, (_, shownAs) => shownAs)
