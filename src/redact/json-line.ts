import { type Finding, quoteOfNumber, ROUNDS } from './findings.ts'

/**
 * A line of JSON whose secrets are redacted.
 *
 * @example
 * import { createRedactor, type RedactedLine } from 'agent-scrollback'
 *
 * const key = `AKIA${'IOSFODNN7EXAMPLQ'}`
 * const line: RedactedLine = createRedactor({ level: 'standard' }).redactJsonLine(JSON.stringify([key, key]))
 * line.kinds // => { 'aws-access-key-id': 2 }
 */
export interface RedactedLine {
  text: string
  /** The number of redacted secrets, in total and by kind. */
  count: number
  kinds: Record<string, number>
}

/** The replacement of a value. */
export type Label = (kind: string, value: string) => string

/**
 * Redacts secrets in a line of JSON. They are searched in the raw line, so that a name next to a value
 * counts, but only replaced inside strings, so that the line remains JSON of the same shape. Numbers and
 * other values remain. `first` are the findings in the original line. Field names that would become equal get
 * a suffix such as `~2`.
 */
export function redactJson(
  line: string,
  first: readonly Finding[],
  find: (text: string) => Finding[],
  label: Label,
): RedactedLine {
  const kinds: Record<string, number> = {}
  let text = line
  let count = 0
  for (let round = 0; round < ROUNDS; round++) {
    const findings = round === 0 ? first : find(text)
    if (findings.length === 0) break
    const pieces = piecesOf(text, findings)
    if (pieces.length === 0) break
    for (const { kind } of pieces.filter(({ further }) => !further)) {
      kinds[kind] = (kinds[kind] ?? 0) + 1
      count++
    }
    text = replacePieces(text, pieces, label)
  }
  return { text, count, kinds }
}

interface Piece extends Finding {
  string: JsonString
  /** It continues the finding in the previous string. */
  further: boolean
}

/** The parts of each finding that are inside strings. */
function piecesOf(text: string, findings: readonly Finding[]): Piece[] {
  const strings = jsonStrings(text)
  const pieces: Piece[] = []
  let at = 0
  for (const finding of findings) {
    while (at < strings.length && strings[at]!.end <= finding.start) at++
    let further = false
    for (let each = at; each < strings.length && strings[each]!.start < finding.end; each++) {
      const string = strings[each]!
      const [from, to] = [Math.max(finding.start, string.start), Math.min(finding.end, string.end)]
      if (from >= to) continue
      const [start, end] = wholeValue(text, string, betweenEscapes(text, string, from, to))
      const last = pieces.at(-1)
      if (last !== undefined && start < last.end) last.end = Math.max(last.end, end)
      else pieces.push({ kind: finding.kind, start, end, string, further })
      further = true
    }
  }
  return pieces
}

/**
 * A password may contain a quote. If it is a whole value up to an escaped quote, the rest of the value
 * belongs to it.
 */
function wholeValue(text: string, string: JsonString, [start, end]: [number, number]): [number, number] {
  if (start !== string.start || text.charCodeAt(end) !== 0x5c) return [start, end]
  const rest = text.slice(end, string.end)
  return /^\\["\\]/.test(rest) && !/\s|\\[nrt]/.test(rest) ? [start, string.end] : [start, end]
}

function replacePieces(text: string, pieces: readonly Piece[], label: Label): string {
  const names = namesOf(text, pieces)
  let replaced = ''
  let copied = 0
  for (let at = 0; at < pieces.length; ) {
    const { string } = pieces[at]!
    let content = ''
    let from = string.start
    for (; at < pieces.length && pieces[at]!.string === string; at++) {
      const { kind, start, end } = pieces[at]!
      const quote = quoteOfNumber(text, start, end)
      content += text.slice(from, start) + quote + label(kind, text.slice(start, end)) + quote
      from = end
    }
    content += text.slice(from, string.end)
    if (string.object !== undefined) content = distinct(content, names.get(string.object)!)
    replaced += text.slice(copied, string.start) + content
    copied = string.end
  }
  return replaced + text.slice(copied)
}

/** For each object with a redacted field name, the names that remain. */
function namesOf(text: string, pieces: readonly Piece[]): Map<number, Set<string>> {
  const names = new Map<number, Set<string>>()
  for (const { string } of pieces) if (string.object !== undefined) names.set(string.object, new Set())
  if (names.size === 0) return names
  const going = new Set(pieces.map(({ string }) => string.start))
  for (const { object, start, end } of jsonStrings(text))
    if (object !== undefined && !going.has(start)) names.get(object)?.add(text.slice(start, end))
  return names
}

function distinct(name: string, taken: Set<string>): string {
  let own = name
  for (let number = 2; taken.has(own); number++) own = `${name}~${number}`
  taken.add(own)
  return own
}

/** A string in a JSON text: the range of its content, without the quotes. */
interface JsonString {
  start: number
  end: number
  /** For a field name: the number of its object, counted by opening braces. */
  object?: number
}

/** All strings of a valid JSON text, in order. */
function jsonStrings(text: string): JsonString[] {
  const strings: JsonString[] = []
  /** The open containers: the number of an object, or -1 for a list. */
  const open: number[] = []
  let objects = 0
  let nameNext = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      const end = endOfString(text, at + 1)
      strings.push({ start: at + 1, end, ...(nameNext && { object: open.at(-1)! }) })
      nameNext = false
      at = end
    } else if (code === 0x7b) {
      open.push(objects++)
      nameNext = true
    } else if (code === 0x5b) open.push(-1)
    else if (code === 0x7d || code === 0x5d) {
      open.pop()
      nameNext = false
    } else if (code === 0x2c) nameNext = (open.at(-1) ?? -1) >= 0
  }
  return strings
}

function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at++
  }
  return text.length
}

/** Widens a range in a string's content so that it does not split an escape. */
function betweenEscapes(
  text: string,
  { start, end }: JsonString,
  from: number,
  to: number,
): [number, number] {
  // An escape has at most six characters, and a run of backslashes may precede it.
  let at = from
  while (at > start && at > from - 6) at--
  while (at > start && text.charCodeAt(at - 1) === 0x5c) at--
  let first = from
  while (at < to) {
    const next = text.charCodeAt(at) !== 0x5c ? at + 1 : text.charCodeAt(at + 1) === 0x75 ? at + 6 : at + 2
    if (at < from && next > from) first = at
    at = next
  }
  return [first, Math.min(at, end)]
}
