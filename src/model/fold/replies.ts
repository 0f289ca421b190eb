import type { Payload, SessionEvent } from '../event.ts'
import { idNumber } from '../hash.ts'
import { textDigest } from '../item-key.ts'
import type { ReplyContext, ReplyCounts } from './reply-context.ts'
import { createReplyTexts } from './reply-texts.ts'
import { createToolCalls } from './tool-calls.ts'
import { createUsageCount } from './usage.ts'

type Message = Extract<Payload, { type: 'message' }>
type OwnUsage = Extract<Payload, { type: 'usage' }>

/** A reply as far as it identifies one that was stored twice. */
interface LastReply {
  id?: string
  parentId?: string
  at?: number
  digest: number
  tokens: number
}

/** Copies of a reply are stored within this time. */
const DOUBLED_MS = 2000

/** Folds the agent's replies: their texts, their tool calls and their usage. */
export function createReplies(context: ReplyContext) {
  const { artifact, keep, clean } = context
  const counts: ReplyCounts = { toolCalls: 0, errors: 0, possibleErrors: 0 }
  const texts = createReplyTexts(context)
  const tools = createToolCalls(context, counts)
  const usages = createUsageCount({ session: artifact.sessionId, inherited: artifact.links?.inherited })
  let last: LastReply | undefined

  /**
   * The id of a reply whose message id may be another's too. The request completes it; if that is unknown,
   * the length of the conversation does, which all lines of a reply repeat.
   */
  function completed({ messageId, requestId, usage }: Message): string {
    if (requestId !== undefined) return `${messageId} ${requestId}`
    const read = usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0
    return `${messageId} ${artifact.sessionId} ${context.turn()} ${read}`
  }

  /** Whether the client stored the reply before it a second time, as its sibling or as its successor. */
  function isDoubled({ id, parentId, at }: SessionEvent, { parts, usage }: Message): boolean {
    if (!context.traits.mirrors || parts.some(({ type }) => type === 'tool-call')) return false
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const current: LastReply = {
      ...(id === undefined ? {} : { id }),
      ...(parentId === undefined ? {} : { parentId }),
      ...(at === undefined ? {} : { at }),
      digest: textDigest(text),
      tokens: usage ? usage.input + usage.output : 0,
    }
    const before = last
    last = current
    return (
      before !== undefined &&
      text !== '' &&
      before.digest === current.digest &&
      before.tokens === current.tokens &&
      Math.abs((at ?? 0) - (before.at ?? 0)) <= DOUBLED_MS &&
      parentId !== undefined &&
      (parentId === before.parentId || parentId === before.id)
    )
  }

  function reply(event: SessionEvent, message: Message): void {
    if (isDoubled(event, message)) return
    const { messageId = event.id, requestId, usage, stopReason, mirror } = message
    // A fork that the client made for itself repeats and continues the words of its parent's agent.
    const label = artifact.fork === undefined ? message.label : undefined
    let replyId = messageId ?? positionOf(event)
    const model = message.model ?? counts.turnModel
    if (model) counts.model = model
    let number = idNumber(messageId ?? `${artifact.sessionId}${replyId}`)
    const request = requestId === undefined ? undefined : idNumber(requestId)
    const turn = context.turn()
    if (message.isReused && messageId !== undefined) {
      replyId = completed(message)
      number = idNumber(replyId)
    } else if (request !== undefined && usages.isOther(number, request, turn)) {
      replyId = `${messageId} ${requestId}`
      number = idNumber(replyId)
    }
    if (usage) {
      const { model: billed = model, ...tokens } = usage
      usages.add(number, tokens, { at: event.at, model: billed, request, turn })
    }
    const hasUsage = message.usageFollows || usages.usages.has(number)
    const of = { reply: hasUsage ? number : undefined, stopReason }
    texts.add(event, { ...contentOf(message), messageId: replyId, label, mirror, ...of }, number)
    for (const part of message.parts) {
      if (part.type === 'thinking' && keep === 'full' && part.text !== '')
        context.push(event, { who: 'agent', label: 'thinking', holds: 'thinking', messageId: replyId, ...of })
      else if (part.type === 'tool-call') tools.call(event, part, of)
      else if (part.type === 'tool-result') tools.result(event, part)
      else if (part.type === 'opaque') opaque(event, part.name)
    }
  }

  /** The text and the names of media in a message. */
  function contentOf({ parts }: Message): { text: string; media: string[] } {
    const blocks: string[] = []
    const media: string[] = []
    for (const part of parts) {
      if (part.type === 'text' && part.text.trim() !== '') blocks.push(clean(part.text.trim()))
      else if (part.type === 'media') media.push(part.name)
    }
    return { text: blocks.join('\n\n'), media }
  }

  /** Reports a block of an unknown type, so that nothing disappears silently. */
  function opaque(event: SessionEvent, name: string): void {
    context.push(event, { who: 'marker', marker: 'note', text: `a block of unknown kind, ${name}` })
  }

  return {
    counts,
    touched: tools.touched,
    usages,
    texts,
    reply,
    opaque,
    result: tools.result,
    /** Counts usage from a record of its own. */
    usage(event: SessionEvent, { key, usage, model = counts.turnModel }: OwnUsage): void {
      const number = idNumber(key ?? `${artifact.sessionId}${event.id ?? positionOf(event)}`)
      usages.add(number, usage, { at: event.at, model })
    },
  }
}

/** Identifies an event of its file that has no id. */
const positionOf = ({ origin, index }: SessionEvent): string => `@${origin.offset}.${index}`

export type Replies = ReturnType<typeof createReplies>
