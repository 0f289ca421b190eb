import { type Finding, quoteOfNumber, ROUNDS } from './findings.ts'
import { betweenEscapes, type JsonString, jsonStrings } from './json-strings.ts'

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
