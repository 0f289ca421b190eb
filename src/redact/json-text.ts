import { type Finding, joinOverlaps } from './findings.ts'
import { isJson, piecesOf } from './json-line.ts'
import { stringsOf } from './record-strings.ts'
import { type Find, inShownText } from './shown-text.ts'

/**
 * Finds the secrets of a text. If the text is JSON, as the arguments of a tool are, its strings are also
 * decoded and searched like those of a record. Findings may overlap.
 */
export function inText(text: string, find: Find): Finding[] {
  let isTried = false
  const findings = inShownText(text, find, () => {
    isTried = true
  })
  if (isTried && mayDiffer(text)) for (const finding of inJson(text, find)) findings.push(finding)
  return findings
}

/** Only escapes and line breaks make the strings of a record different from the text. */
const mayDiffer = (text: string): boolean =>
  /^\s{0,64}[{[]/.test(text) && /[}\]]\s{0,64}$/.test(text.slice(-66)) && /[\\\n]/.test(text)

function inJson(text: string, find: Find): Finding[] {
  const record = stringsOf(text)
  if (record === undefined) return []
  const pieces = piecesOf(record, {
    text: (each) => inText(each, find),
    outline: (outline, visit) => inShownText(outline, find, visit),
    again: (each, visited) => (visited ? inText(each, find) : []),
    counts: () => true,
  })
  if (pieces.length === 0 || !isJson(text)) return []
  const written = Map.groupBy(pieces, ({ string }) => string)
  return joinOverlaps(
    Array.from(written).flatMap(([string, inString]) => {
      const { start, end } = record.strings[string]!
      return writtenRanges(text, { start, end }, inString)
    }),
  )
}

const character = /\\(?:u[0-9a-fA-F]{4}|[^u])|[^\\]/y

/**
 * Where findings in a decoded string are in the text. They are in order and do not overlap, so the string is
 * read once.
 */
function writtenRanges(text: string, string: { start: number; end: number }, found: readonly Finding[]) {
  let [at, count] = [string.start, 0]
  const written = (position: number): number => {
    for (; at < string.end && count < position; count++) {
      character.lastIndex = at
      at += character.exec(text)?.[0].length ?? 1
    }
    return at
  }
  return found.map(({ kind, start, end }) => ({ kind, start: written(start), end: written(end) }))
}
