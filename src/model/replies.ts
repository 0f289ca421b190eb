import type { Artifact } from './artifact.ts'
import type { Payload, SessionEvent, Usage } from './event.ts'
import { hashText, type IdHash, IdSet } from './id-set.ts'
import { textDigest } from './item-key.ts'
import { sentWords } from './sent-words.ts'
import type { Item } from './session.ts'
import type { Dispatch } from './session-links.ts'
import { createReplyRecords } from './settlement.ts'
import { toolPaths, toolTarget } from './tool-target.ts'
import { createUsageCount, type UsageState } from './usage-count.ts'

type Message = Extract<Payload, { type: 'message' }>
type Part = Message['parts'][number]
type Tool = NonNullable<Item['tool']>

/** What one event adds to the condensed transcript; its place comes from the event. */
export type Told = Omit<Item, 'line' | 'offset' | 'length' | 'at' | 'id' | 'order'>

/** `counts`: the index row only. `condensed`: the items too. `full`: also where thinking, inputs and outputs stand. */
export type Keep = 'counts' | 'condensed' | 'full'

/** What the replies need of the fold they belong to. */
export interface Telling {
  artifact: Artifact
  keep: Keep
  /** Takes secrets out of a text. */
  clean(text: string): string
  push(event: SessionEvent, item: Told): void
  /** Words that a call gave to another agent. */
  sent(dispatch: Dispatch): void
  /** The item told last, to which more of the same reply is joined. */
  last(): Item | undefined
  /** The words of an item grew. */
  grown(item: Item): void
}

/** What is known of the replies of a file that was read so far: plain data. */
export interface ReplyState {
  replies: Int32Array
  callIds: Int32Array
  /** The latest calls, whose results may still come. */
  calls: Map<string, Tool>
  touched: Map<string, number>
  usages: UsageState
  records: Int32Array
  /** The latest replies, of which a mirror may follow. */
  recent: string[]
  /** Agent words told: line, order, record and reply (two numbers each). */
  said: number[]
  toolCalls: number
  errors: number
  possibleErrors: number
  model?: string
}

/** Which reply an item is of, and why that ended. */
type OfReply = Pick<Item, 'reply' | 'stopReason'>
type Words = OfReply & Pick<Item, 'label'> & { messageId: string; text: string }

const TOUCHED_LIMIT = 300
/** Calls whose results may still come. */
const CALL_MEMORY = 256
/** Mirrors of a reply follow it closely. */
const MIRROR_MEMORY = 8
/** Most that is kept of the line that tells an error. */
const ERROR_LIMIT = 500

/** What the agent said and did: blocks of one reply joined, calls counted once, errors noted. */
export function createReplies(telling: Telling, before?: ReplyState) {
  const { artifact, keep, clean } = telling
  const keepItems = keep !== 'counts'
  const replies = new IdSet(undefined, before?.replies)
  const callIds = new IdSet(undefined, before?.callIds)
  const calls = before?.calls ?? new Map<string, Tool>()
  const touched = before?.touched ?? new Map<string, number>()
  const usages = createUsageCount(before?.usages)
  const records = createReplyRecords(before?.records)
  const recent = before?.recent ?? []
  const said = before?.said ?? []
  const hash: IdHash = { high: 0, low: 0 }
  const record: IdHash = { high: 0, low: 0 }
  // A forked subagent begins with the call that started it, which is its parent's.
  if (artifact.parentCallId !== undefined) {
    hashText(artifact.parentCallId, hash)
    callIds.add(hash)
  }
  const counts = {
    toolCalls: before?.toolCalls ?? 0,
    errors: before?.errors ?? 0,
    possibleErrors: before?.possibleErrors ?? 0,
    model: before?.model,
  }

  function reply(event: SessionEvent, message: Message): void {
    const replyId = message.messageId ?? event.id ?? `@${event.origin.offset}.${event.index}`
    if (message.model) counts.model = message.model
    hashText(replyId, hash)
    if (message.usage) usages.add(hash, message.usage, event.at, message.model)
    const of = { reply: usages.numberOf(hash), stopReason: message.stopReason }
    const texts: string[] = []
    const media: string[] = []
    for (const part of message.parts) {
      if (part.type === 'text' && part.text.trim() !== '') texts.push(clean(part.text.trim()))
      else if (part.type === 'media') media.push(part.name)
    }
    const text = texts.join('\n\n')
    if (text !== '' && !(message.mirror && recent.some((told) => squeeze(told) === squeeze(text)))) {
      recent.push(text)
      if (recent.length > MIRROR_MEMORY) recent.shift()
      replies.add(hash)
      if (event.id !== undefined) {
        hashText(event.id, record)
        records.add(record, hash)
      }
      say(event, { messageId: replyId, text, label: message.label, ...of }, media)
    }
    for (const part of message.parts) {
      if (part.type === 'thinking' && keep === 'full' && part.text !== '')
        telling.push(event, { who: 'agent', label: 'thinking', holds: 'thinking', messageId: replyId, ...of })
      else if (part.type === 'tool-call') call(event, part, of)
      else if (part.type === 'tool-result') result(event, part)
      else if (part.type === 'opaque') opaque(event, part.name)
    }
  }

  /** A block nobody knows is told, so that nothing vanishes without a word. */
  function opaque(event: SessionEvent, name: string): void {
    telling.push(event, { who: 'marker', marker: 'note', text: `a block of unknown kind, ${name}` })
  }

  /** Blocks of one reply that follow each other become one item. */
  function say(event: SessionEvent, words: Words, media: string[]): void {
    if (!keepItems) return
    const { messageId, text, stopReason } = words
    const last = telling.last()
    if (
      last?.who === 'agent' &&
      last.messageId === messageId &&
      last.text !== undefined &&
      last.offset <= event.origin.offset
    ) {
      if (last.text === text || last.text.endsWith(`\n\n${text}`)) return
      last.text += `\n\n${text}`
      if (stopReason !== undefined) last.stopReason = stopReason
      telling.grown(last)
      return
    }
    telling.push(event, { who: 'agent', ...words, ...(media.length > 0 ? { media } : {}) })
    if (event.id === undefined) return
    const { line, order } = telling.last()!
    said.push(line, order, record.high, record.low, hash.high, hash.low)
  }

  function call(event: SessionEvent, part: Extract<Part, { type: 'tool-call' }>, of: OfReply): void {
    if (part.callId !== undefined) {
      hashText(part.callId, hash)
      if (!callIds.add(hash)) return
    }
    counts.toolCalls++
    if (artifact.platform === 'openclaw' && touched.size < TOUCHED_LIMIT)
      for (const path of toolPaths(part.input)) touched.set(path, (touched.get(path) ?? 0) + 1)
    if (!keepItems) return
    for (const { text, to } of sentWords(part.name, part.input))
      telling.sent({
        line: event.origin.line,
        at: event.at,
        digest: textDigest(clean(text)),
        ...(to && { to }),
      })
    const target = toolTarget(part.name, part.input)
    const tool = { name: part.name, target: target && cut(clean(target.text), target.shown) }
    if (part.callId !== undefined) {
      calls.set(part.callId, tool)
      // Results follow their calls closely; the oldest are not asked for any more.
      if (calls.size > CALL_MEMORY) calls.delete(calls.keys().next().value!)
    }
    const holds = keep === 'full' ? { holds: 'input' as const } : {}
    telling.push(event, { who: 'tool', tool, callId: part.callId, ...of, ...holds })
  }

  function result(event: SessionEvent, part: Extract<Part, { type: 'tool-result' }>): void {
    const tool = part.callId === undefined ? undefined : calls.get(part.callId)
    const told = tool ?? (part.toolName ? { name: part.toolName } : undefined)
    const { callId } = part
    if (part.denied) telling.push(event, { who: 'marker', marker: 'denial', tool: told, callId })
    if (keep === 'full')
      telling.push(event, { who: 'tool', label: 'output', tool: told, callId, holds: 'output' })
    if (part.error === undefined) return
    const sure = part.error === 'sure'
    if (sure) counts.errors++
    else counts.possibleErrors++
    const text = part.errorLine === undefined ? undefined : cut(clean(part.errorLine), ERROR_LIMIT)
    telling.push(event, { who: 'error', text, tool: told, callId, sure })
  }

  return {
    counts,
    touched,
    usages,
    records,
    said,
    reply,
    opaque,
    result,
    size: (): number => replies.size,
    /** A reply of which only the index row is wanted. */
    glanced(id: IdHash, messageId: IdHash, reply: { words: boolean; usage?: Usage; model?: string }): void {
      if (reply.usage) usages.add(messageId, reply.usage, undefined, reply.model)
      if (reply.model) counts.model = reply.model
      if (!reply.words) return
      replies.add(messageId)
      records.add(id, messageId)
    },
    /** A tool call in such a reply. */
    glancedCall(id: IdHash): void {
      if (callIds.add(id)) counts.toolCalls++
    },
    save: (): ReplyState => ({
      ...counts,
      calls,
      touched,
      recent,
      said,
      replies: replies.entries(),
      callIds: callIds.entries(),
      usages: usages.save(),
      records: records.save(),
    }),
  }
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…`.toWellFormed() : text
