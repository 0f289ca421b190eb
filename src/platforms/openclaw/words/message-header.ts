/** The header of an incoming message: its channel and, in a group, its sender. */
interface Envelope {
  body: string
  sender?: string
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
export function openEnvelope(text: string, inGroup: boolean): Envelope {
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
export const ENVELOPE_START = new RegExp(`^\\[(?:${CHANNELS}) `)
/** The same anywhere, because the earliest versions wrote a message as one line. */
export const ENVELOPE_INLINE = new RegExp(
  `\\[(?:${CHANNELS}) ${INSIDE}(?:${ISO}|${LOCAL}(?:${ZONE})?)\\]`,
  'g',
)
/** Messages that two programs wrapped have the gateway's stamp before the other envelope. */
export const withoutStamp = (text: string): string => text.replace(STAMP, '')
