import { boundaryOf, dropQuoted, firstLine } from './quoted-messages.ts'

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
  // The plug-in of QQ sets its instructions before the words.
  /^[\s\S]*【[^】]*现有用户输入如下】\s*/,
  // Runtimes that keep no history of their own are handed it with the prompt.
  /^OpenClaw assembled context for this turn:[\s\S]*\nCurrent user request:\n/,
  /^Note: The previous agent run was aborted by the user\.[^\n]*\n*/,
  /^Note: This session was automatically reset \([^)]*\)\. The last thing the assistant said before the reset was:\n"[\s\S]*?"\nIf that suggests unfinished work[^\n]*\n*/,
]
const REFRESH = '[Post-compaction context refresh]'

/** Drops what the program set before a message: quoted messages, system events, notes about the last run. */
export function dropLeadIn(raw: string): LeadIn {
  const events: string[] = []
  let text = raw
  for (;;) {
    const before = text
    text = dropEvents(dropQuoted(text.trimStart()), events)
    for (const note of NOTES) text = text.replace(note, '')
    if (text === before) return { text, events }
  }
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
