import type { SessionKind, Speaker } from '../../model/event.ts'
import { append } from '../../model/lists.ts'
import { openEnvelope, withoutStamp } from './envelope.ts'
import { type Uncovered, uncover, withoutPending } from './injected-context.ts'
import { dropLeadIn, ROUNDS } from './lead-in.ts'
import { hearMedia, takeAttachments } from './media-notes.ts'
import { programText, tidy } from './program-texts.ts'
import { queuedMessages } from './queue.ts'

/** One message that a `user` record holds: as a rule one, several when they waited in the queue. */
export interface Said {
  speaker: Exclude<Speaker, 'agent'>
  text: string
  /** Kinds of files that came with it. */
  media: string[]
  label?: string
  kindEvidence?: SessionKind
  queued?: boolean
}

/** What beside the text tells who speaks. */
export interface Hearing {
  /** The session is a group's, so a name before the words is a sender's. */
  inGroup: boolean
  /** A person is known to have written it: how it begins proves nothing then. */
  external: boolean
}

/** The plug-in of QQ ends its instructions with these words: below is what the user wrote. */
const QQ = '现有用户输入如下】'

/**
 * Who says what in the text of a `user` record. Versions up to spring 2026 keep there, beside the words, everything
 * the program put around them; later ones keep the words alone. Empty when only injected context is left.
 */
export function listen(raw: string, hearing: Hearing): Said[] {
  const text = raw.includes('\0') || raw.includes('\r') ? raw.replace(/\0|\r(?=\n)/g, '') : raw
  const instructed = text.lastIndexOf(QQ)
  return said(instructed < 0 ? text : text.slice(instructed + QQ.length), hearing, 0)
}

/** The sender's card stands first or behind a stamp. */
const CARD = /^(?:Conversation info|Sender)[ :]/

function said(raw: string, hearing: Hearing, depth: number): Said[] {
  const outer = peel(raw)
  // What waited in the queue, and announcements of finished work, come stamped like anything else.
  const bare = withoutStamp(outer.text).trimStart()
  const early = hearing.external ? undefined : programText(bare)
  if (early?.label === 'subagent result') return program(early, outer.events)
  const bundle = depth === 0 ? queuedMessages(bare) : undefined
  if (bundle)
    return bundle.flatMap((item) =>
      said(item, hearing, depth + 1).map((message) => ({ ...message, queued: true })),
    )
  const opening = withoutPending(bare)
  const context = uncover(CARD.test(opening) || opening !== bare ? opening : outer.text)
  const middle = peel(context.text)
  const envelope = openEnvelope(middle.text, hearing.inGroup || context.group)
  const inner = peel(envelope.body)
  const events = [...outer.events, ...middle.events, ...inner.events]
  const known = hearing.external ? undefined : programText(inner.text.trim())
  if (known) return program(known, events)
  if (context.resumed) return program({ label: 'restart', text: inner.text.trim() }, events)
  const media = [...outer.media, ...middle.media, ...inner.media]
  return human({ body: inner.text, sender: envelope.sender, media }, context, hearing)
}

interface Peeled {
  text: string
  events: string[]
  media: string[]
}

/** Takes off what stands in front, in whatever order it comes. */
function peel(raw: string): Peeled {
  const peeled: Peeled = { text: raw, events: [], media: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const notes = takeAttachments(peeled.text.trimStart())
    const lead = dropLeadIn(notes.text)
    append(peeled.events, lead.events)
    append(peeled.media, notes.media)
    if (lead.text === peeled.text) break
    peeled.text = lead.text
  }
  return peeled
}

function program(
  found: { label: string; kind?: SessionKind; text: string },
  events: readonly string[],
): Said[] {
  // Older reminders point to the system events above them.
  const text = found.text === '' && found.label === 'reminder' ? tidy(events.join('\n')) : found.text
  if (text === '' && found.kind === undefined && found.label === 'context') return []
  return [{ speaker: 'program', text, media: [], label: found.label, kindEvidence: found.kind }]
}

const FORWARD = /^\[Forwarded from ([^\]\n]+?)(?: at \d{4}-\d{2}-\d{2}T[^\]\s]*)?\]\n?/
const REPLY = /^\[Replying to: "[\s\S]*?"\]\s*/

function human(
  found: { body: string; sender?: string; media: readonly string[] },
  context: Uncovered,
  hearing: Hearing,
): Said[] {
  const named = withoutName(found.body, context.names)
  const reply = named.text.replace(REPLY, '')
  const forward = FORWARD.exec(reply)
  const { text, media } = hearMedia(
    forward ? reply.slice(forward[0].length) : reply,
    found.media,
    (part) => openEnvelope(part, hearing.inGroup || context.group).body,
  )
  if (text === '' && media.length === 0) return []
  const group = hearing.inGroup || context.group
  const from = forward?.[1] ?? context.forwardedFrom
  const label = from
    ? `forwarded from ${from}`
    : (found.sender ?? (group ? (context.sender ?? named.name) : undefined))
  return [{ speaker: 'human', text, media, label }]
}

/** Feishu's ids of people; its plug-in puts the name or the id before the words, even in direct chats. */
const OPEN_ID = /^ou_[0-9a-f]{16,}: /

function withoutName(body: string, names: readonly string[]): { text: string; name?: string } {
  const name = names.find((candidate) => body.startsWith(`${candidate}: `))
  if (name !== undefined) return { text: body.slice(name.length + 2), name }
  const id = OPEN_ID.exec(body)
  return id ? { text: body.slice(id[0].length), name: id[0].slice(0, -2) } : { text: body }
}
