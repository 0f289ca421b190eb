const EVENT = /^System(?: \(untrusted\))?:(?: (.*))?$/
const TIMED = /^\[[^\]\n]*\d{2}:\d{2}[^\]\n]*\] ?|^\[unknown-time\] ?/
/** The oldest versions begin a session with one line about each channel. */
const SUMMARY =
  /^(?:WhatsApp|Telegram|Discord|Slack|Signal|iMessage|Google Chat|Matrix|Teams|BlueBubbles|WebChat)\b.*: /
const NOTES = [
  // The id of the message, on the line of the text.
  /^\[message_id: [^\]\n]+\] (?=\S)/i,
  // Runtimes without a history of their own receive it with the prompt.
  /^OpenClaw assembled context for this turn:[\s\S]*\nCurrent user request:\n/,
  /^Note: The previous agent run was aborted by the user\.[^\n]*\n*/,
  /^Note: This session was automatically reset \([^)]*\)\. The last thing the assistant said before the reset was:\n"[\s\S]*?"\nIf that suggests unfinished work[^\n]*\n*/,
]
const REFRESH = '[Post-compaction context refresh]'

/** More layers than any version wrote. A hostile text may have a million. */
export const ROUNDS = 20

/**
 * Removes what the program put before a message: quoted messages, system events, notes about the last run.
 * `events`: the system events without their prefix.
 */
export function dropLeadIn(raw: string) {
  const events: string[] = []
  let text = raw
  for (let round = 0; round < ROUNDS; round++) {
    const before = text
    text = dropEvents(dropQuoted(text.trimStart()), events)
    for (const note of NOTES) text = text.replace(note, '')
    if (text === before) break
  }
  return { text, events }
}

/**
 * A block of system events ends at the first empty line. Humans also write `System:`, so it only counts with
 * a time or in a channel summary.
 */
function dropEvents(text: string, events: string[]): string {
  if (!EVENT.test(firstLine(text))) return text
  const own = firstParagraph(text)
  const contents = own.flatMap((line) => {
    const match = EVENT.exec(line)
    return match ? [match[1] ?? ''] : []
  })
  if (!contents.some((line) => TIMED.test(line)) && !SUMMARY.test(contents[0] ?? '')) return text
  for (const line of contents) events.push(line.replace(TIMED, ''))
  const rest = text.slice(own.join('\n').length).trimStart()
  return contents.some((line) => line.includes(REFRESH)) ? dropRefresh(rest) : rest
}

/** Some versions prefix only the first line of a refresh event. */
function dropRefresh(text: string): string {
  if (!text.startsWith('Session was just compacted.')) return text
  const time = /^Current time: [^\n]*$/m.exec(text)
  const boundary = boundaryOf(text)
  if (time && (boundary < 0 || time.index < boundary)) return text.slice(time.index + time[0].length)
  return boundary < 0 ? '' : text.slice(boundary)
}

/** The lines before the first empty one. The rest of the text is not split. */
function firstParagraph(text: string): string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const line = text.slice(from, newline < 0 ? undefined : newline)
    if (line.trim() === '') break
    lines.push(line)
    if (newline < 0) break
    from = newline + 1
  }
  return lines
}

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
function dropQuoted(text: string): string {
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

function firstLine(text: string): string {
  const newline = text.indexOf('\n')
  return newline < 0 ? text : text.slice(0, newline)
}

/** The gateway's own time stamp, `[Wed 2026-01-28 20:30 EST] `. */
const STAMP = /^\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]\n]*\] */
const CHANNELS =
  'WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|Teams|MSTeams|Matrix|Zalo Personal|Zalo|BlueBubbles'
const ISO = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2})?Z'
const LOCAL = '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}(?::\\d{2})?'
const ZONE = ' (?:[A-Z]{2,5}|(?:GMT|UTC)[+-][\\d:]+)'
/**
 * `[<Channel> <from> [id:<id>] [+2m] [<host>] [<weekday>] <time>] `. Names may contain brackets; the time
 * ends it.
 */
const INSIDE = '(?:[^\\[\\]\\n]|\\[[^\\[\\]\\n]*\\])*?'
const DATED = new RegExp(`^\\[((?:${CHANNELS}) ${INSIDE}(?:${ISO}|${LOCAL}(?:${ZONE})?))\\] ?`)
/** The names of plug-in channels are unknown, so the time must have a zone, which humans do not write. */
const FOREIGN = new RegExp(`^\\[([A-Z][\\w-]* [^\\n\\]]*?(?:${ISO}|${LOCAL}${ZONE}))\\] ?`)
/** Times can be disabled. */
const UNDATED = new RegExp(`^\\[((?:${CHANNELS}) [^\\]\\n]+)\\] ?`)
/** Ids and names that only occur in groups. */
const GROUP =
  / id:-\d|@g\.us\b| #\S|\bchannel id:|\bgroup\b|\btopic:|\bid:chat_id:|\bid:[A-Za-z0-9+/]{40,}=*(?: |$)/i
const SENDER = /^([^\n:[\]]{1,80}): /
const SELF = /^\(self\): /

/** Removes one stamp or envelope from a message. A second one is the sender's own text. */
export function openEnvelope(text: string, inGroup: boolean): { body: string; sender?: string } {
  const stamp = STAMP.exec(text)
  if (stamp) return { body: text.slice(stamp[0].length) }
  const match = DATED.exec(text) ?? FOREIGN.exec(text) ?? UNDATED.exec(text)
  if (!match) return { body: text }
  const body = text.slice(match[0].length)
  if (SELF.test(body)) return { body: body.replace(SELF, '') }
  const sender = inGroup || GROUP.test(match[1]!) ? SENDER.exec(body) : undefined
  return sender ? { body: body.slice(sender[0].length), sender: sender[1]! } : { body }
}

/** A line that begins with the envelope of a channel. */
const ENVELOPE_START = new RegExp(`^\\[(?:${CHANNELS}) `)
/** The same anywhere, because the earliest versions wrote a message as one line. */
const ENVELOPE_INLINE = new RegExp(`\\[(?:${CHANNELS}) ${INSIDE}(?:${ISO}|${LOCAL}(?:${ZONE})?)\\]`, 'g')
/** Messages that two programs wrapped have the gateway's stamp before the other envelope. */
export const withoutStamp = (text: string): string => text.replace(STAMP, '')
