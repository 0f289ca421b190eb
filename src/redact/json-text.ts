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
  return joinOverlaps(
    pieces.map(({ kind, string, start, end }) => {
      const { start: begin, end: stop } = record.strings[string]!
      return { kind, ...writtenRange(text, begin, stop, start, end) }
    }),
  )
}

const character = /\\(?:u[0-9a-fA-F]{4}|[^u])|[^\\]/y

/** Where a part of a decoded string is in the text. `from` and `to` count its characters. */
function writtenRange(text: string, begin: number, stop: number, from: number, to: number) {
  let start = stop
  let at = begin
  for (let count = 0; at < stop && count < to; count++) {
    if (count === from) start = at
    character.lastIndex = at
    at += character.exec(text)?.[0].length ?? 1
  }
  return { start: Math.min(start, at), end: at }
}
