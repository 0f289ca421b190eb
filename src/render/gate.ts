import { hiddenPieces, mayHide } from '../model/hidden.ts'
import { mapStrings } from '../model/map-strings.ts'
import { type Finding, replaceFindings } from '../redact/findings.ts'
import { findSecrets, redact } from '../redact/redact.ts'
import { printable, printableJson } from './printable.ts'

/**
 * Everything that is printed passes through the gate. It removes secrets and everything that a terminal
 * executes.
 */
export interface Gate {
  /** Cleans one foreign text. */
  text(text: string): string
  /** Cleans output for a terminal or a file. The only control codes kept are our own colors. */
  output(piece: string): string
  /** Removes secrets from all strings of a JSON value. */
  value<Value>(value: Value): Value
  /** A value as JSON without secrets. */
  json(value: unknown): string
  /**
   * Cleans a value for a reader that cannot see hidden characters, such as an agent: every string passes
   * through `text`.
   */
  plain<Value>(value: Value): Value
}

export interface GateOptions {
  /** False if the user asked for secrets. Control codes are removed anyway. */
  redact: boolean
  /** Whether our output contains colors. */
  colors: boolean
}

export function createGate(options: GateOptions): Gate {
  const shown = options.colors ? withOwnColors : printable
  const plain = <Value>(value: Value): Value => mapStrings(value, printable)
  const json = (value: unknown): string => printableJson(`${JSON.stringify(value, null, 2)}\n`)
  if (!options.redact) return { text: printable, output: shown, value: (value) => value, json, plain }
  return {
    text: (text) => printable(redact(text)),
    output: (piece) => shown(redactColored(piece)),
    value: (value) => mapStrings(value, redact),
    json: (value) => json(mapStrings(value, redact)),
    plain: (value) => plain(mapStrings(value, redact)),
  }
}

/** Bold, dim, inverse and the colors of `styleText`, with their ends. */
const ownColor = /\x1b\[(?:1|2|7|22|27|39|3[1-6])m/g
const OWN_COLOR = /^\x1b\[(?:1|2|7|22|27|39|3[1-6])m$/

function withOwnColors(text: string): string {
  if (!mayHide(text)) return text.toWellFormed()
  let shown = ''
  let copied = 0
  for (const { start, end, shownAs } of hiddenPieces(text)) {
    const piece = text.slice(start, end)
    shown += text.slice(copied, start) + (OWN_COLOR.test(piece) ? piece : shownAs)
    copied = end
  }
  return (shown + text.slice(copied)).toWellFormed()
}

/** Keeps color codes inside a secret, so that the text after it has the right color. */
function redactColored(text: string): string {
  const findings: Finding[] = findSecrets(text)
  if (findings.length === 0) return text
  return redact(
    replaceFindings(
      text,
      findings,
      (kind, value) => `[REDACTED:${kind}]${(value.match(ownColor) ?? []).join('')}`,
    ),
  )
}
