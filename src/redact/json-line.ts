import { type Finding, joinOverlaps, ROUNDS, replaceFindings } from './findings.ts'
import { type LineStrings, objectsOf, type RecordString, stringsOf } from './record-strings.ts'
import type { Visit } from './shown-text.ts'

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

/** The searches of a record. Findings may overlap. */
export interface RecordSearch {
  /** Searches a text that stands alone. */
  text(text: string): Finding[]
  /** Searches an outline, and calls `visit` in ascending order where a text may hold a secret. */
  outline(outline: string, visit: Visit): Finding[]
  /** Searches a string that was read in the outline. `visited`: whether `visit` was called inside it. */
  again(text: string, visited: boolean): Finding[]
  /** Whether a finding counts. */
  counts(text: string, finding: Finding): boolean
}

/** A finding in one string of a record. */
interface Piece extends Finding {
  string: number
  /** It continues the finding in the previous string. */
  further: boolean
}

/**
 * Redacts secrets in a line of JSON: every string is decoded, searched as a text, and written back, so that
 * the line remains JSON of the same shape. The name of a member identifies its value. Numbers and other
 * values remain. Field names that would become equal get a suffix such as `~2`. Undefined if the line is no
 * JSON. `isPart`: it may begin and end anywhere between strings.
 */
export function redactJson(
  line: string,
  search: RecordSearch,
  label: Label,
  isPart = false,
): RedactedLine | undefined {
  const kinds: Record<string, number> = {}
  let text = line
  let count = 0
  for (let round = 0; round < ROUNDS; round++) {
    const record = stringsOf(text, isPart)
    if (record === undefined) return undefined
    const pieces = piecesOf(record, search)
    if (pieces.length === 0) break
    if (round === 0 && !isPart && !isJson(line)) return undefined
    for (const { kind } of pieces.filter(({ further }) => !further)) {
      kinds[kind] = (kinds[kind] ?? 0) + 1
      count++
    }
    text = replacePieces(text, record.strings, pieces, label)
  }
  return { text, count, kinds }
}

/** The secrets in a line of JSON. Undefined if it is no JSON. */
export function secretsOf(line: string, search: RecordSearch): { kind: string; value: string }[] | undefined {
  const record = stringsOf(line)
  if (record === undefined) return undefined
  const pieces = piecesOf(record, search)
  if (pieces.length > 0 && !isJson(line)) return undefined
  return pieces.map(({ kind, string, start, end }) => ({
    kind,
    value: record.strings[string]!.text.slice(start, end),
  }))
}

export function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** The findings in each string, in order and without overlaps. Positions are those in the decoded string. */
export function piecesOf({ strings, outline }: LineStrings, search: RecordSearch): Piece[] {
  const found = new Map<number, (Finding & { further?: boolean })[]>()
  const add = (string: number, findings: (Finding & { further?: boolean })[]): void => {
    if (findings.length > 0) found.set(string, [...(found.get(string) ?? []), ...findings])
  }
  const visited = new Set<number>()
  let at = 0
  const findings = search.outline(outline, (position) => {
    while (at < strings.length && endInOutline(strings[at]!) <= position) at++
    if (at < strings.length && strings[at]!.at! <= position) visited.add(at)
  })
  for (const finding of findings) {
    let further = false
    for (let each = firstBehind(strings, finding.start); each < strings.length; each++) {
      const { at: begin, text, isPlain } = strings[each]!
      if (begin === undefined) continue
      if (begin >= finding.end) break
      const start = Math.max(finding.start - begin, 0)
      const end = Math.min(finding.end - begin, text.length)
      if (start >= end || (!isPlain && end - start < text.length)) continue
      // Of what begins inside a string, only a block of lines goes on in other strings.
      if (!further && start > 0 && finding.end > begin + text.length && finding.kind !== 'private-key') break
      add(each, [{ kind: finding.kind, start, end, further }])
      further = true
    }
  }
  for (let number = 0; number < strings.length; number++) {
    const { text, at, isPlain } = strings[number]!
    if (text.length > 0)
      add(number, at !== undefined && isPlain ? search.again(text, visited.has(number)) : search.text(text))
  }
  if (found.size === 0) return []
  return [...found.entries()]
    .sort(([one], [other]) => one - other)
    .flatMap(([string, all]) => {
      const { text } = strings[string]!
      const first = all.filter((each) => search.counts(text, each))
      return joinOverlaps(first).map((each): Piece => ({ ...each, string, further: isFurther(first, each) }))
    })
}

/** Whether every finding that a joined one consists of began in another string. */
const isFurther = (all: readonly (Finding & { further?: boolean })[], { start, end }: Finding): boolean =>
  all.every((each) => each.further === true || each.start >= end || each.end <= start)

/** Where a string ends in the outline. One that is not there ends before everything. */
const endInOutline = ({ at, text }: RecordString): number => (at === undefined ? -1 : at + text.length)

/** The number of the first string that ends behind a position of the outline. */
function firstBehind(strings: readonly RecordString[], position: number): number {
  const first = strings.findIndex((each) => endInOutline(each) > position)
  return first < 0 ? strings.length : first
}

function replacePieces(
  line: string,
  strings: readonly RecordString[],
  pieces: readonly Piece[],
  label: Label,
): string {
  const objects = objectsOf(line, strings)
  const names = namesOf(strings, objects, pieces)
  let replaced = ''
  let copied = 0
  for (let at = 0; at < pieces.length; ) {
    const number = pieces[at]!.string
    const own: Piece[] = []
    for (; at < pieces.length && pieces[at]!.string === number; at++) own.push(pieces[at]!)
    const { start, end, text } = strings[number]!
    const object = objects[number]
    let content = replaceFindings(text, own, label)
    if (object !== undefined) content = distinct(content, names.get(object)!)
    replaced += line.slice(copied, start) + JSON.stringify(content).slice(1, -1)
    copied = end
  }
  return replaced + line.slice(copied)
}

/** For each object with a redacted field name, the names that remain. */
function namesOf(
  strings: readonly RecordString[],
  objects: readonly (number | undefined)[],
  pieces: readonly Piece[],
): Map<number, Set<string>> {
  const names = new Map<number, Set<string>>()
  for (const { string } of pieces) {
    const object = objects[string]
    if (object !== undefined) names.set(object, new Set())
  }
  if (names.size === 0) return names
  const going = new Set(pieces.map(({ string }) => string))
  for (const [number, object] of objects.entries())
    if (object !== undefined && !going.has(number)) names.get(object)?.add(strings[number]!.text)
  return names
}

function distinct(name: string, taken: Set<string>): string {
  let own = name
  for (let number = 2; taken.has(own); number++) own = `${name}~${number}`
  taken.add(own)
  return own
}
