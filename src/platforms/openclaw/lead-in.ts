import { ENVELOPE_START } from './envelope.ts'

/** System events that stood above the words, without their prefix. */
export interface LeadIn {
  text: string
  events: string[]
}

const EVENT = /^System(?: \(untrusted\))?:(?: (.*))?$/
const TIMED = /^\[[^\]\n]*\d{2}:\d{2}[^\]\n]*\] ?|^\[unknown-time\] ?/
/** One line about each channel opens a new session of the oldest versions. */
const SUMMARY = /^[A-Z][\w ]{1,30}: /
const NOTES = [
  /^Note: The previous agent run was aborted by the user\.[^\n]*\n*/,
  /^Note: This session was automatically reset \([^)]*\)\. The last thing the assistant said before the reset was:\n"[\s\S]*?"\nIf that suggests unfinished work[^\n]*\n*/,
]
const CONTEXT = /^\[(?:Thread history|Thread starter|Replied message|[A-Z][\w ]+) - for context\]\n/
const CURRENT = '[Current message - respond to this]'
const FOOTER = /^\[[\w ]+ message id: [^\]]*\]$/gim
/** Where something else begins for certain. */
const BOUNDARY =
  /^(?:System(?: \(untrusted\))?: |.+ \(untrusted[^)\n]*\):$|.*⟦openclaw:ctx⟧$|\[media attached|Note: The previous agent run|\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2})/
const REFRESH = '[Post-compaction context refresh]'

/** Drops what the program set before a message: quoted history, system events, notes about the last run. */
export function dropLeadIn(raw: string): LeadIn {
  const events: string[] = []
  let text = raw
  for (;;) {
    const before = text
    text = dropEvents(dropContext(text.trimStart()), events)
    for (const note of NOTES) text = text.replace(note, '')
    if (text === before) return { text, events }
  }
}

function dropContext(text: string): string {
  const current = text.lastIndexOf(CURRENT)
  if (current >= 0 && (current === 0 || text[current - 1] === '\n') && CONTEXT.test(text))
    return text.slice(current + CURRENT.length).trimStart()
  if (text.startsWith(CURRENT)) return text.slice(CURRENT.length).trimStart()
  const header = CONTEXT.exec(text)
  if (!header) return text
  const rest = text.slice(header[0].length)
  const boundary = boundaryOf(rest)
  const quoted = boundary < 0 ? rest : rest.slice(0, boundary)
  const footer = [...quoted.matchAll(FOOTER)].at(-1)
  if (footer) return rest.slice(footer.index + footer[0].length)
  if (boundary > 0) return rest.slice(boundary)
  const end = rest.search(/\n[ \t]*\n/)
  return end < 0 ? '' : rest.slice(end)
}

/**
 * Where quoted messages end. They have envelopes themselves, so an envelope ends them only when nothing surer does,
 * and then it is the last one, unless it names a role, as those of a quoted thread do.
 */
function boundaryOf(rest: string): number {
  let envelope = -1
  for (const gap of rest.matchAll(/\n[ \t]*\n(?=\S)/g)) {
    const at = gap.index + gap[0].length
    const line = firstLine(rest.slice(at, at + 400))
    if (BOUNDARY.test(line)) return at
    if (ENVELOPE_START.test(line) && !/^\[[^\]\n]*\((?:user|assistant)\)/.test(line)) envelope = at
  }
  return envelope
}

/**
 * A block of system events ends at the first empty line. `System:` alone does not prove it, people write that too: one
 * event has its time, or the lines are those of the channel summary.
 */
function dropEvents(text: string, events: string[]): string {
  if (!EVENT.test(firstLine(text))) return text
  const lines = text.split('\n')
  let end = lines.findIndex((line) => line.trim() === '')
  if (end < 0) end = lines.length
  const own = lines.slice(0, end)
  const contents = own.flatMap((line) => {
    const match = EVENT.exec(line)
    return match ? [match[1] ?? ''] : []
  })
  if (!contents.some((line) => TIMED.test(line)) && !contents.every((line) => SUMMARY.test(line))) return text
  for (const line of contents) events.push(line.replace(TIMED, ''))
  const rest = lines.slice(end).join('\n').trimStart()
  return contents.some((line) => line.includes(REFRESH)) ? dropRefresh(rest) : rest
}

/** Versions that prefix only the first line of an event leave the rest of a refresh bare. */
function dropRefresh(text: string): string {
  if (!text.startsWith('Session was just compacted.')) return text
  const time = /^Current time: [^\n]*$/m.exec(text)
  const boundary = boundaryOf(text)
  if (time && (boundary < 0 || time.index < boundary)) return text.slice(time.index + time[0].length)
  return boundary < 0 ? '' : text.slice(boundary)
}

const firstLine = (text: string): string =>
  text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'))
