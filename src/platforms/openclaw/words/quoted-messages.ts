import { ENVELOPE_INLINE, ENVELOPE_START } from './message-header.ts'

/**
 * Messages of others that a channel quotes before the current one. The earliest versions wrote all on one
 * line.
 */
const HEADER = /^\[(?:Thread history|Thread starter|Replied message|[A-Z][\w ]+) - for context\](\n|\\n| |$)/
const CURRENT = '[Current message - respond to this]'
/** The WhatsApp channel once joined its lines with the two characters `\\n`. */
const GAP = /^(?:\\n|\s)+/
const FOOTER = /^\[[\w ]+ message id: [^\]]*\]$/gim
/** Beginnings of something that is certainly not quoted. */
const BOUNDARY =
  /^(?:System(?: \(untrusted\))?: |.+ \(untrusted[^)\n]*\):$|.*\u27e6openclaw:ctx\u27e7$|\[media attached|Note: The previous agent run|\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2})/

/** The current message without the quoted ones before it. */
export function dropQuoted(text: string): string {
  if (text.startsWith(CURRENT)) return text.slice(CURRENT.length).replace(GAP, '')
  const header = HEADER.exec(text)
  if (!header) return text
  const current = text.lastIndexOf(CURRENT)
  if (current >= 0) return text.slice(current + CURRENT.length).replace(GAP, '')
  const rest = text.slice(header[0].length)
  return header[1] === '\n' || header[1] === '' ? below(rest) : afterLastEnvelope(rest)
}

function below(rest: string): string {
  const boundary = boundaryOf(rest)
  const quoted = boundary < 0 ? rest : rest.slice(0, boundary)
  const footer = [...quoted.matchAll(FOOTER)].at(-1)
  if (footer) return rest.slice(footer.index + footer[0].length)
  if (boundary > 0) return rest.slice(boundary)
  const end = rest.search(/\n[ \t]*\n/)
  return end < 0 ? '' : rest.slice(end)
}

/** On one line, the last envelope is that of the current message. */
function afterLastEnvelope(rest: string): string {
  const last = [...rest.matchAll(ENVELOPE_INLINE)].at(-1)
  return last && last.index > 0 ? rest.slice(last.index) : below(rest)
}

/**
 * Where quoted messages end. They have envelopes themselves, so an envelope is only used if there is no surer
 * sign. The last one then ends them, unless it names a role, as in a quoted thread.
 */
export function boundaryOf(rest: string): number {
  let envelope = -1
  for (const gap of rest.matchAll(/\n[ \t]*\n(?=\S)/g)) {
    const at = gap.index + gap[0].length
    const line = firstLine(rest.slice(at, at + 400))
    if (BOUNDARY.test(line)) return at
    if (ENVELOPE_START.test(line) && !/^\[[^\]\n]*\((?:user|assistant)\)/.test(line)) envelope = at
  }
  return envelope
}

export function firstLine(text: string): string {
  const newline = text.indexOf('\n')
  return newline < 0 ? text : text.slice(0, newline)
}
