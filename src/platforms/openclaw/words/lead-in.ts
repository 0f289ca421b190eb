import { boundaryOf, dropQuoted, firstLine } from './quoted-messages.ts'

/** A text, and the system events before it without their prefix. */
interface LeadIn {
  text: string
  events: string[]
}

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
 */
export function dropLeadIn(raw: string): LeadIn {
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
