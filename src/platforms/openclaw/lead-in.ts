import { boundaryOf, dropQuoted, firstLine } from './quoted-messages.ts'

/** System events that stood above the words, without their prefix. */
export interface LeadIn {
  text: string
  events: string[]
}

const EVENT = /^System(?: \(untrusted\))?:(?: (.*))?$/
const TIMED = /^\[[^\]\n]*\d{2}:\d{2}[^\]\n]*\] ?|^\[unknown-time\] ?/
/** One line about each channel opens a new session of the oldest versions. */
const SUMMARY =
  /^(?:WhatsApp|Telegram|Discord|Slack|Signal|iMessage|Google Chat|Matrix|Teams|BlueBubbles|WebChat)\b.*: /
const NOTES = [
  // Runtimes that keep no history of their own are handed it with the prompt.
  /^OpenClaw assembled context for this turn:[\s\S]*\nCurrent user request:\n/,
  /^Note: The previous agent run was aborted by the user\.[^\n]*\n*/,
  /^Note: This session was automatically reset \([^)]*\)\. The last thing the assistant said before the reset was:\n"[\s\S]*?"\nIf that suggests unfinished work[^\n]*\n*/,
]
const REFRESH = '[Post-compaction context refresh]'

/** More layers than any version wrote; a hostile text may have a million. */
export const ROUNDS = 20

/** Drops what the program set before a message: quoted messages, system events, notes about the last run. */
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
 * A block of system events ends at the first empty line. `System:` alone does not prove it, people write that too: one
 * event has its time, or the lines are those of the channel summary.
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

/** Versions that prefix only the first line of an event leave the rest of a refresh bare. */
function dropRefresh(text: string): string {
  if (!text.startsWith('Session was just compacted.')) return text
  const time = /^Current time: [^\n]*$/m.exec(text)
  const boundary = boundaryOf(text)
  if (time && (boundary < 0 || time.index < boundary)) return text.slice(time.index + time[0].length)
  return boundary < 0 ? '' : text.slice(boundary)
}

/** The lines above the first empty one; the text below is not looked at. */
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
