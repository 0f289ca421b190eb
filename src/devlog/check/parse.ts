/** A footnote of a devlog, with the quotes that refer to it. */
export interface ParsedCitation {
  number: number
  session: string
  line: number
  digest: string
  quotes: string[]
}

const FOOTNOTE =
  /^\[\^(\d+)\]: session `([\w-]+)`, line (\d+), (?:\d{4}-\d\d-\d\d \d\d:\d\d UTC|no time), record `([\da-f]+)`\s*$/
const REFERENCE = /(?<!\\)\[\^(\d+)\]/g
const SPEAKER = /^> \*\*(?:[^*\\]|\\.)*:\*\* /

/** Removes the escapes of `plainMarkdown`. */
export const unescaped = (text: string): string => text.replace(/\\([\\`*_[\]<>#|~!&$^{}@+=:.)/-])/g, '$1')

/** The citations of a devlog in Markdown. Text without a footnote of ours is ignored. */
export function parseCitations(markdown: string): ParsedCitation[] {
  const found = new Map<number, ParsedCitation>()
  const body: string[] = []
  for (const line of markdown.split(/\r?\n/)) {
    const [, number, session, at, digest] = FOOTNOTE.exec(line) ?? []
    if (number === undefined) body.push(line)
    else
      found.set(Number(number), {
        ...{ number: Number(number), session: session!, line: Number(at), digest: digest! },
        quotes: [],
      })
  }
  for (const line of body)
    for (const { quote, number } of quotesIn(line)) found.get(number)?.quotes.push(quote)
  return [...found.values()]
}

/**
 * The quoted words before a reference: a block quote, or the text between the last curly marks or code
 * marks.
 */
function* quotesIn(line: string): Generator<{ quote: string; number: number }> {
  let from = 0
  for (const { 0: mark, 1: number, index } of line.matchAll(REFERENCE)) {
    const before = line.slice(from, index)
    from = index + mark.length
    const speaker = SPEAKER.exec(line)
    const quote = speaker
      ? before.slice(speaker[0].length)
      : before.endsWith('”')
        ? inMarks(before)
        : /(?<!\\)`([^`\\]+)`$/.exec(before)?.[1]
    if (quote === undefined) continue
    const isCode = before.endsWith('`') && !speaker
    yield { quote: isCode ? quote : unescaped(quote), number: Number(number) }
  }
}

/** The text may contain such marks itself, so the first one that opens after the last reference counts. */
function inMarks(text: string): string | undefined {
  const open = text.indexOf('“')
  return open < 0 ? undefined : text.slice(open + 1, -1)
}
