import type { SessionKind, Speaker } from '../../../model/event.ts'
import { append } from '../../../model/iteration.ts'
import { type Uncovered, uncover, withoutPending } from './injected-context.ts'
import { dropLeadIn, openEnvelope, ROUNDS, withoutStamp } from './lead-in.ts'
import { takeAttachments, takeMedia } from './media-notes.ts'
import { programText, tidy } from './program-texts.ts'

/** One message of a `user` record. Usually there is one, or several if they were queued. */
export interface UserMessage {
  speaker: Exclude<Speaker, 'agent'>
  text: string
  /** Kinds of the files that came with it. */
  media: string[]
  label?: string
  kindEvidence?: SessionKind
  queued?: boolean
}

/** Facts besides the text that identify the speaker. */
interface SpeakerContext {
  /** The session is a group's, so a name before the text is the sender's. */
  inGroup: boolean
  /** A human is known to have written it, so its beginning proves nothing. */
  external: boolean
}

/** The QQ plug-in ends its instructions with this. The user's text follows. */
const QQ = '现有用户输入如下】'

/**
 * The messages of a `user` record with their speakers. Versions up to spring 2026 store everything that the
 * program put around the text; later ones store only the text. Empty if only injected context remains.
 */
export function parseMessages(raw: string, speaker: SpeakerContext): UserMessage[] {
  const text = raw.includes('\0') || raw.includes('\r') ? raw.replace(/\0|\r(?=\n)/g, '') : raw
  const instructed = text.lastIndexOf(QQ)
  return messagesIn(instructed < 0 ? text : text.slice(instructed + QQ.length), speaker, 0)
}

/** The sender's card comes first or after a stamp. */
const CARD = /^(?:Conversation info|Sender)[ :]/

function messagesIn(raw: string, speaker: SpeakerContext, depth: number): UserMessage[] {
  const outer = peel(raw)
  // Queued messages and announcements of finished work also have a stamp.
  const bare = withoutStamp(outer.text).trimStart()
  const early = speaker.external ? undefined : programText(bare)
  if (early?.label === 'subagent result') return program(early, outer.events)
  const bundle = depth === 0 ? queuedMessages(bare) : undefined
  if (bundle)
    return bundle.flatMap((item) =>
      messagesIn(item, speaker, depth + 1).map((message) => ({ ...message, queued: true })),
    )
  const opening = withoutPending(bare)
  const context = uncover(CARD.test(opening) || opening !== bare ? opening : outer.text)
  const middle = peel(context.text)
  const envelope = openEnvelope(middle.text, speaker.inGroup || context.group)
  const inner = peel(envelope.body)
  const events = [...outer.events, ...middle.events, ...inner.events]
  const known = speaker.external ? undefined : programText(inner.text.trim())
  if (known) return program(known, events)
  if (context.resumed) return program({ label: 'restart', text: inner.text.trim() }, events)
  const media = [...outer.media, ...middle.media, ...inner.media]
  return human({ body: inner.text, sender: envelope.sender, media }, context, speaker)
}

interface Peeled {
  text: string
  events: string[]
  media: string[]
}

/** Removes what precedes the text, in any order. */
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
): UserMessage[] {
  // Older reminders refer to the system events above them.
  const text = found.text === '' && found.label === 'reminder' ? tidy(events.join('\n')) : found.text
  if (text === '' && found.kind === undefined && found.label === 'context') return []
  return [{ speaker: 'program', text, media: [], label: found.label, kindEvidence: found.kind }]
}

const FORWARD = /^\[Forwarded from ([^\]\n]+?)(?: at \d{4}-\d{2}-\d{2}T[^\]\s]*)?\]\n?/
const REPLY = /^\[Replying to: "[\s\S]*?"\]\s*/

function human(
  found: { body: string; sender?: string; media: readonly string[] },
  context: Uncovered,
  speaker: SpeakerContext,
): UserMessage[] {
  const named = withoutName(found.body, context.names)
  const reply = named.text.replace(REPLY, '')
  const forward = FORWARD.exec(reply)
  const { text, media } = takeMedia(
    forward ? reply.slice(forward[0].length) : reply,
    found.media,
    (part) => openEnvelope(part, speaker.inGroup || context.group).body,
  )
  if (text === '' && media.length === 0) return []
  const group = speaker.inGroup || context.group
  const from = forward?.[1] ?? context.forwardedFrom
  const label = from
    ? `forwarded from ${from}`
    : (found.sender ?? (group ? (context.sender ?? named.name) : undefined))
  return [{ speaker: 'human', text, media, label }]
}

/** Feishu's user ids. Its plug-in puts the name or the id before the text, even in direct chats. */
const OPEN_ID = /^ou_[0-9a-f]{16,}: /

function withoutName(body: string, names: readonly string[]): { text: string; name?: string } {
  const name = names.find((candidate) => body.startsWith(`${candidate}: `))
  if (name !== undefined) return { text: body.slice(name.length + 2), name }
  const id = OPEN_ID.exec(body)
  return id ? { text: body.slice(id[0].length), name: id[0].slice(0, -2) } : { text: body }
}

const TITLE = '[Queued messages while agent was busy]'
const ITEM = /^---\nQueued #\d+[^\n]*\n?/gm
const OVERFLOW = /^\[Queue overflow\] Dropped \d+ messages? due to cap\.$/m

/** The messages that were queued while the agent was busy. Undefined if the text is not such a bundle. */
function queuedMessages(text: string): string[] | undefined {
  if (!text.startsWith(TITLE) && text.search(OVERFLOW) !== 0) return undefined
  const heads = [...text.matchAll(ITEM)]
  const lead = text.slice(0, heads[0]?.index)
  const items = heads.map((head, index) =>
    text.slice(head.index + head[0].length, heads[index + 1]?.index).trim(),
  )
  return [...overflowed(lead), ...items].filter((item) => item !== '')
}

/** Of messages beyond the queue's limit only the first line is recorded. */
function overflowed(lead: string): string[] {
  if (!OVERFLOW.test(lead)) return []
  return [...lead.matchAll(/^- (.+)$/gm)].map((line) => line[1]!)
}
