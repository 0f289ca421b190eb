/** What stood around a message when it came in: where it came from, and in a group who wrote it. */
export interface Envelope {
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
/** `[<Channel> <from> [id:<id>] [+2m] [<host>] [<weekday>] <time>] `; names may hold brackets, the time ends it. */
const INSIDE = '(?:[^\\[\\]\\n]|\\[[^\\[\\]\\n]*\\])*?'
const DATED = new RegExp(`^\\[((?:${CHANNELS}) ${INSIDE}(?:${ISO}|${LOCAL}(?:${ZONE})?))\\] ?`)
/** Channels of plug-ins are not known by name: then the time must have its zone, which people do not write. */
const FOREIGN = new RegExp(`^\\[([A-Z][\\w-]* [^\\n\\]]*?(?:${ISO}|${LOCAL}${ZONE}))\\] ?`)
/** Times can be turned off. */
const UNDATED = new RegExp(`^\\[((?:${CHANNELS}) [^\\]\\n]+)\\] ?`)
/** Ids and names that only groups have. */
const GROUP =
  / id:-\d|@g\.us\b| #\S|\bchannel id:|\bgroup\b|\btopic:|\bid:chat_id:|\bid:[A-Za-z0-9+/]{40,}=*(?: |$)/i
const SENDER = /^([^\n:[\]]{1,80}): /
const SELF = /^\(self\): /

/** Takes the one stamp or envelope off a message. A second one behind it is the writer's own text. */
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
/** The same anywhere: the earliest versions made one line of a whole message. */
export const ENVELOPE_INLINE = new RegExp(
  `\\[(?:${CHANNELS}) ${INSIDE}(?:${ISO}|${LOCAL}(?:${ZONE})?)\\]`,
  'g',
)
/** Messages that two programs wrapped have the gateway's stamp in front of what the other wrote. */
export const withoutStamp = (text: string): string => text.replace(STAMP, '')
