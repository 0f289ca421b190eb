import { hiddenPieces, mayHide } from '../model/hidden.ts'
import { mapStrings } from '../model/map-strings.ts'
import { type Finding, replaceFindings } from '../redact/findings.ts'
import { findSecrets, redact } from '../redact/redact.ts'
import { printable } from './printable.ts'

/** What everything passes on its way out, whoever made it: no secret gets by, and nothing that a terminal obeys. */
export interface Gate {
  /** One text of anybody's. */
  text(text: string): string
  /** What a terminal or a file is about to be given; of control codes only our own colours stay. */
  output(piece: string): string
  /** A value for programs: no string in it holds a secret. */
  value<Value>(value: Value): Value
  /** A value for who cannot see what hides, such as an agent: every string in it passes as `text`. */
  plain<Value>(value: Value): Value
}

export interface GateOptions {
  /** False for whoever asked for secrets; control codes are taken out all the same. */
  redact: boolean
  /** Whether we colour what we put out. */
  colours: boolean
}

export function createGate(options: GateOptions): Gate {
  const shown = options.colours ? withOwnColours : printable
  const plain = <Value>(value: Value): Value => mapStrings(value, printable)
  if (!options.redact) return { text: printable, output: shown, value: (value) => value, plain }
  return {
    text: (text) => printable(redact(text)),
    output: (piece) => shown(redactColoured(piece)),
    value: (value) => mapStrings(value, redact),
    plain: (value) => plain(mapStrings(value, redact)),
  }
}

/** Bold, dim, inverse and the colours of `styleText`, and their ends. */
const ownColour = /\x1b\[(?:1|2|7|22|27|39|3[1-6])m/g
const OWN_COLOUR = /^\x1b\[(?:1|2|7|22|27|39|3[1-6])m$/

function withOwnColours(text: string): string {
  if (!mayHide(text)) return text.toWellFormed()
  let shown = ''
  let copied = 0
  for (const { start, end, shownAs } of hiddenPieces(text)) {
    const piece = text.slice(start, end)
    shown += text.slice(copied, start) + (OWN_COLOUR.test(piece) ? piece : shownAs)
    copied = end
  }
  return (shown + text.slice(copied)).toWellFormed()
}

/** Colours that begin or end within a secret stay, or what follows it would be painted. */
function redactColoured(text: string): string {
  const findings: Finding[] = findSecrets(text)
  if (findings.length === 0) return text
  return redact(
    replaceFindings(
      text,
      findings,
      (kind, value) => `[REDACTED:${kind}]${(value.match(ownColour) ?? []).join('')}`,
    ),
  )
}
