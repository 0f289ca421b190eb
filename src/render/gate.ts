import { hiddenPieces, mayHide } from '../model/hidden.ts'
import { mapStrings } from '../model/json.ts'
import { type Finding, replaceFindings } from '../redact/findings.ts'
import { findSecrets, redact } from '../redact/redact.ts'
import { redactJsonText } from '../redact/redactor.ts'
import { printable, printableJson } from './terminal.ts'

/** A piece of output: text, UTF-8 that is written at once, or UTF-8 that has passed a gate already. */
export type Printed = string | Uint8Array | GatedText

/** Text in UTF-8 that has passed a gate, perhaps in another thread. */
export class GatedText {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The options of that gate. */
  readonly passed: GateOptions

  constructor(bytes: Uint8Array<ArrayBuffer>, passed: GateOptions) {
    this.bytes = bytes
    this.passed = passed
  }

  get length(): number {
    return this.bytes.length
  }
}

/**
 * Everything that is printed passes through the gate. It removes secrets and everything that a terminal
 * executes.
 */
export interface Gate {
  /** Cleans one foreign text. */
  text(text: string): string
  /** Cleans output for a terminal or a file. The only control codes kept are our own colors. */
  output(piece: string): string
  /** The same for any piece, as UTF-8. Bytes that are clean are returned as they are. */
  bytes(piece: Printed): Uint8Array
  /** Removes secrets from all strings of a JSON value. */
  value<Value>(value: Value): Value
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
  /** Whether the output is JSON. Its strings are searched one by one, so that it stays JSON. */
  json?: boolean
}

export function createGate(options: GateOptions): Gate {
  const shown = options.colors ? withOwnColors : printable
  const plain = <Value>(value: Value): Value => mapStrings(value, printable)
  const cleanedText = options.json ? redactJsonText : redactColored
  const output = options.redact ? (piece: string): string => shown(cleanedText(piece)) : shown
  const bytes = (piece: Printed): Uint8Array => {
    if (typeof piece === 'string') return Buffer.from(output(piece))
    if (!(piece instanceof GatedText)) return cleaned(piece, output)
    const { redact, colors } = piece.passed
    const isClean = (redact || !options.redact) && (options.colors || !colors)
    return isClean ? piece.bytes : cleaned(piece.bytes, output)
  }
  if (!options.redact) return { text: printable, output, bytes, value: (value) => value, plain }
  return {
    text: (text) => printable(redact(text)),
    output,
    bytes,
    value: (value) => mapStrings(value, redact),
    plain: (value) => plain(mapStrings(value, redact)),
  }
}

/** The text of a piece, which a gate has yet to pass. */
export const textOfPiece = (piece: Printed): string =>
  typeof piece === 'string' ? piece : decoded(piece instanceof GatedText ? piece.bytes : piece)

const decoded = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

function cleaned(bytes: Uint8Array, output: (text: string) => string): Uint8Array {
  const text = decoded(bytes)
  const shown = output(text)
  return shown === text ? bytes : Buffer.from(shown)
}

/** Bold, dim, inverse and the colors of `styleText`, with their ends. */
const ownColor = /\x1b\[(?:1|2|7|22|27|39|[39][1-6])m/g
const OWN_COLOR = /^\x1b\[(?:1|2|7|22|27|39|[39][1-6])m$/

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

/**
 * An answer as JSON, which has yet to pass a gate. With `searchesValues`, every value was searched for
 * secrets without the name of its field: a gate would take `"key": "tea_pot__brew_7da5942e"`, a tool, for an
 * API key.
 */
export function jsonOfAnswer(answer: unknown, { searchesValues }: { searchesValues?: true } = {}): Printed {
  const text = asJson(answer)
  if (!searchesValues) return text
  // Mostly there is nothing to decide, and one search of all is faster.
  const shown = redactJsonText(text) === text ? text : asJson(mapStrings(answer, redact))
  return new GatedText(Buffer.from(shown), { redact: true, colors: false })
}

const asJson = (answer: unknown): string => printableJson(`${JSON.stringify(answer, null, 2)}\n`)

/** How many members of a list are in one piece. */
const AT_ONCE = 4096

/**
 * JSON of an object in pieces, so that a long list is never one text: after one of megabytes, V8 and the C
 * library keep twice as much memory.
 */
export function* jsonInPieces(object: object): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (!Array.isArray(value)) yield printableJson(JSON.stringify(value))
    else yield* listInPieces(value)
  }
  yield before === '{' ? '{}\n' : '}\n'
}

function* listInPieces(list: readonly unknown[]): Generator<string> {
  for (let at = 0; at < list.length; at += AT_ONCE) {
    const members = printableJson(JSON.stringify(list.slice(at, at + AT_ONCE))).slice(1, -1)
    yield `${at === 0 ? '[' : ','}${members}`
  }
  yield list.length === 0 ? '[]' : ']'
}
