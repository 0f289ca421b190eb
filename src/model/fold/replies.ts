import type { Payload, SessionEvent, Usage } from '../event.ts'
import { hash53, idNumber } from '../hash.ts'
import { textDigest } from '../item-key.ts'
import type { Item } from '../session.ts'
import { type CountedUsage, createUsageCount, isSame, NO_TOKENS, riseOf, withTerms } from '../usage.ts'
import type { FoldedItem, OfRecord, OfReply, ReplyContext, ReplyCounts } from './items.ts'
import { sentWords, toolPaths, toolTarget } from './tool-arguments.ts'

type Message = Extract<Payload, { type: 'message' }>
type OwnUsage = Extract<Payload, { type: 'usage' }>

interface HeldUsage {
  number: number
  request: string | undefined
  tokens: Usage
  facts: Pick<CountedUsage, 'at' | 'model'>
}

/** Copies of a reply are stored within this time. */
const DOUBLED_MS = 2000

/** Folds the agent's replies: their texts, their tool calls and their usage. */
export function createReplies(context: ReplyContext) {
  const { artifact, keep } = context
  const counts: ReplyCounts = { toolCalls: 0, errors: 0, possibleErrors: 0, turnModel: artifact.modelHint }
  const texts = createReplyTexts(context)
  const tools = createToolCalls(context, counts)
  const usages = createUsageCount(artifact.sessionId, artifact.links?.inherited)
  /** The last reply of each message id that lines repeat, with its request. */
  const identities = new Map<string, { identity: string; requestId: string | undefined }>()
  /** The usage of the last reply of a fork. */
  let held: HeldUsage | undefined
  /** Items of the current turn whose usage is in the next record of usage. */
  let waiting: { turn: number; items: FoldedItem[] } = { turn: 0, items: [] }
  /** The last thought: where its record is, and how many thoughts that has before it. */
  let thought: { offset: number; nth: number } | undefined
  /** The latest record of usage, until a reply has it. */
  let answered: { number: number; usage: Usage } | undefined
  /** The latest reply, as far as it identifies one that was stored twice. */
  let last: (Pick<SessionEvent, 'id' | 'parentId' | 'at'> & { digest: number; tokens: number }) | undefined

  /**
   * Identifies a reply, in all files. Servers reuse message ids, so the request is part of it. A line without
   * one belongs to the reply that last had its message id.
   */
  function identityOf(
    event: SessionEvent,
    { messageId = event.id ?? event.sharedId, requestId, isReused, usage }: Message,
  ): string {
    if (messageId === undefined) return `${artifact.sessionId}${positionOf(event)}`
    if (isReused && requestId === undefined) {
      // All lines of a reply repeat the length of the conversation.
      const read = usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0
      return `${messageId} ${artifact.sessionId} ${context.turn()} ${read}`
    }
    const last = identities.get(messageId)
    const isLast = last !== undefined && (requestId ?? last.requestId) === (last.requestId ?? requestId)
    if (!isLast) {
      const identity =
        requestId === undefined || requestId === messageId ? messageId : `${messageId} ${requestId}`
      identities.set(messageId, { identity, requestId })
      return identity
    }
    last.requestId ??= requestId
    return last.identity
  }

  /** Identifies a request that has a record of its own, without an id. A fork copies the record. */
  function requestOf(event: SessionEvent): string {
    const { id, sharedId = id, at, index } = event
    return sharedId !== undefined && at !== undefined
      ? `${sharedId} ${at}#${index}`
      : `${artifact.sessionId}${sharedId ?? positionOf(event)}`
  }

  /**
   * A fork that the client made for itself may repeat the replies of its parent, all with its own request.
   * One request has one reply, the last; so the usage of a reply counts when another request follows.
   */
  function hold(next: HeldUsage): void {
    if (held?.number === next.number) {
      if (next.tokens.output >= held.tokens.output) held = { ...next, facts: held.facts }
      return
    }
    if (held?.request === undefined || held.request !== next.request) countHeld()
    held = next
  }

  function countHeld(): void {
    if (held) usages.add(held.number, held.tokens, held.facts)
    held = undefined
  }

  /** Whether the client stored the reply before it a second time, as its sibling or as its successor. */
  function isDoubled({ id, parentId, at }: SessionEvent, { parts, usage }: Message): boolean {
    if (!context.traits.mirrors || parts.some(({ type }) => type === 'tool-call')) return false
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const before = last
    const current = { digest: textDigest(text), tokens: usage ? usage.input + usage.output : 0 }
    last = { id, parentId, at, ...current }
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

  /** The last item gets the usage that follows, unless another turn begins before. */
  function awaitUsage(): void {
    const turn = context.turn()
    if (waiting.turn !== turn) waiting = { turn, items: [] }
    const item = context.items.last()
    if (item && item.reply === undefined && item !== waiting.items.at(-1)) waiting.items.push(item)
  }

  function reply(event: SessionEvent, message: Message): void {
    const before = context.items.last()
    add(event, message)
    if (message.usageFollows === 'next' && context.items.last() !== before) awaitUsage()
  }

  /** The number of the request whose usage is in the record before the reply and in that of the reply. */
  function requestBefore({ usage, usageBefore }: Message): number | undefined {
    if (!usageBefore || !usage || !answered || !isSame(answered.usage, usage)) return undefined
    const { number } = answered
    answered = undefined
    return number
  }

  function add(event: SessionEvent, message: Message): void {
    if (isDoubled(event, message)) return
    const { usage, stopReason, mirror } = message
    // A fork that the client made for itself repeats and continues the words of its parent's agent.
    const label = artifact.fork === undefined ? message.label : undefined
    const model = message.model ?? counts.turnModel
    if (model) counts.model = model
    const replyId = identityOf(event, message)
    const number = requestBefore(message) ?? idNumber(replyId)
    if (usage) {
      const { model: billed = model, ...tokens } = usage
      const facts = { at: event.at, model: billed }
      if (artifact.fork === undefined) usages.add(number, tokens, facts)
      else hold({ number, request: message.requestId, tokens, facts })
    }
    const hasUsage = message.usageFollows === true || held?.number === number || usages.usages.has(number)
    const of = { reply: hasUsage ? number : undefined, stopReason }
    // In a transcript of its own, all calls are the subagent's.
    const nested = label === 'subagent' && artifact.kindHint !== 'subagent' ? { label } : {}
    const { mayGrow, parts } = message
    const firstText = keep === 'full' ? parts.findIndex(({ type }) => type === 'text') : -1
    const thoughts = parts.slice(0, Math.max(0, firstText)).filter(isThought)
    for (const index of thoughts.keys()) think(thoughts.length - index)
    texts.add(event, { ...contentOf(message), messageId: replyId, label, mirror, mayGrow, ...of }, number)
    for (const [index, part] of parts.entries()) {
      if (index > firstText && isThought(part)) think()
      else if (part.type === 'tool-call') tools.call(event, part, { ...of, ...nested })
      else if (part.type === 'tool-result') tools.result(event, part)
      else if (part.type === 'opaque') opaque(event, part.name)
    }

    function think(ahead?: number): void {
      const { offset } = event.origin
      thought = { offset, nth: thought?.offset === offset ? thought.nth + 1 : 0 }
      const nth = thought.nth > 0 ? { nth: thought.nth } : {}
      const content = { label: 'thinking', holds: 'thinking', ...nth, messageId: replyId, ...of } as const
      context.items.push(event, { who: 'agent', ...content }, ahead)
    }
  }

  const isThought = (part: Message['parts'][number]): boolean =>
    part.type === 'thinking' && keep === 'full' && part.text !== ''

  /** The text and the names of media in a message. */
  function contentOf({ parts }: Message): { text: string; media: string[] } {
    const blocks: string[] = []
    const media: string[] = []
    for (const part of parts) {
      if (part.type === 'text' && part.text.trim() !== '') blocks.push(part.text.trim())
      else if (part.type === 'media') media.push(part.name)
    }
    return { text: blocks.join('\n\n'), media }
  }

  /** Reports a block of an unknown type, so that nothing disappears silently. */
  function opaque(event: SessionEvent, name: string): void {
    context.items.push(event, { who: 'marker', marker: 'note', text: `a block of unknown kind, ${name}` })
  }

  const inherited = new Set<number>()
  /** The running total after the last request that states one. */
  let lastTotal: OwnUsage['total']
  let hasRecords = false

  return {
    counts,
    touched: tools.touched,
    usages,
    texts,
    reply,
    opaque,
    result: tools.result,
    done: tools.done,
    doneCalls: tools.doneCalls,
    /** A record of a reply that was written before, under the same id. */
    grow(event: SessionEvent, message: Message): void {
      const messageId = message.messageId ?? event.id ?? ''
      const reply = idNumber(messageId)
      if (message.usage) {
        const { model = message.model ?? counts.turnModel, ...tokens } = message.usage
        usages.add(reply, tokens, { at: event.at, model })
      }
      const { text, media } = contentOf(message)
      if (text === '' || texts.grown(reply, text)) return
      const { label } = message
      texts.add(event, { text, media, messageId, label, mirror: undefined, mayGrow: true, reply }, reply)
    },
    /** The file ends here, as far as it was read. */
    settle: countHeld,
    /** A request of the session that this one is a fork of. A record after the copy may repeat its usage. */
    inherit({ key, total, scope }: OwnUsage): void {
      hasRecords ||= scope === undefined
      if (key !== undefined) inherited.add(idNumber(key))
      lastTotal = total ?? lastTotal
    },
    /** Counts usage from a record of its own. */
    usage(
      event: SessionEvent,
      { key, usage, total, scope, terms = counts.turnTerms ?? [], ...own }: OwnUsage,
    ): void {
      const model = own.model ?? counts.turnModel ?? counts.model
      hasRecords ||= scope === undefined
      if (scope === 'all' && hasRecords) return
      const number = idNumber(key ?? requestOf(event))
      const isEmpty = usage.input + usage.cacheRead + usage.cacheWrite + usage.output === 0
      const missing = isEmpty && total ? riseOf(lastTotal ?? NO_TOKENS, total) : undefined
      lastTotal = total ?? lastTotal
      if (inherited.has(number)) return
      answered = { number, usage }
      const isNew = !usages.usages.has(number)
      usages.add(number, missing ?? usage, {
        at: event.at,
        model: model === undefined ? undefined : withTerms(model, terms),
      })
      if (!isNew || waiting.turn !== context.turn()) return
      for (const item of waiting.items.splice(0)) {
        item.reply = number
        context.items.grown(item)
      }
    },
  }
}

/** Identifies an event of its file that has no id. */
const positionOf = ({ origin, index }: SessionEvent): string => `@${origin.offset}.${index}`

export type Replies = ReturnType<typeof createReplies>

/** A text of a reply, with what else came with it. */
type ReplyText = OfReply &
  Pick<Item, 'label'> & {
    messageId: string
    text: string
    media: string[]
    /** A copy for a channel. */
    mirror: boolean | undefined
    mayGrow: boolean | undefined
  }

/** A call of a subagent in the transcript of its parent is labeled so. */
type OfCall = OfReply & Pick<Item, 'label'>

/** How many replies are remembered for their mirrors. */
const MIRROR_MEMORY = 8
/** How many are remembered in case that they grow. */
const GROWING = 8

/** Folds the texts of replies: counts each reply once, joins its blocks, and leaves out mirrors. */
function createReplyTexts({ keep, items, traits }: ReplyContext) {
  /** The numbers of the counted replies. */
  const replies = new Set<number>()
  /** The messages of the agent. */
  const messages: OfRecord[] = []
  /** Which records contain a reply. */
  const records: { record: string; reply: number }[] = []
  /** The latest replies, each a digest once it was compared. */
  let recent: (string | number)[] = []
  /** The texts of each reply, where clients write their history again under other ids. */
  const written = new Set<number>()
  const blocks = createJoinedBlocks()
  /** The items of the latest replies that may grow. */
  const growing = new Map<number, FoldedItem>()

  function isRecent(text: string): boolean {
    recent = recent.map((each) => (typeof each === 'number' ? each : textDigest(each)))
    return recent.includes(textDigest(text))
  }

  function count(event: SessionEvent, text: string, reply: number): void {
    if (traits.mirrors && recent.push(text) > MIRROR_MEMORY) recent.shift()
    replies.add(reply)
    if (event.id !== undefined) records.push({ record: event.id, reply })
  }

  /** Notes a text of a reply. Returns false if the client wrote it before, and repeats its history. */
  function isFirst(reply: number, text: string): boolean {
    if (!traits.mirrors) return true
    const key = hash53([text], reply % 0x1_0000_0000)
    const isNew = !written.has(key)
    written.add(key)
    return isNew
  }

  /** Appends a block to the last item if that is of the same reply. Otherwise returns false. */
  function joins({ origin }: SessionEvent, { messageId, text, stopReason }: ReplyText): boolean {
    const last = items.last()
    if (last?.who !== 'agent' || last.messageId !== messageId || last.text === undefined) return false
    if (last.offset > origin.offset) return false
    if (!blocks.add(last, text)) return true
    if (stopReason !== undefined) last.stopReason = stopReason
    items.grown(last)
    return true
  }

  return {
    size: (): number => replies.size,
    add(event: SessionEvent, content: ReplyText, reply: number): void {
      const { mirror, mayGrow, media, ...words } = content
      if (content.text === '' || (mirror && isRecent(content.text))) return
      const isAgain = !isFirst(reply, content.text)
      count(event, content.text, reply)
      if (isAgain || keep === 'counts' || joins(event, content)) return
      items.push(event, { who: 'agent', ...words, ...(media.length > 0 ? { media } : {}) })
      const item = items.last()!
      const { line, order } = item
      messages.push({ line, order, record: event.id, reply })
      if (!mayGrow) return
      growing.delete(reply)
      growing.set(reply, item)
      if (growing.size > GROWING) growing.delete(growing.keys().next().value!)
    },
    /** Replaces the text of a recent reply by a longer one that begins with it. False if there is none. */
    grown(reply: number, text: string): boolean {
      const item = growing.get(reply)
      if (!item) return replies.has(reply)
      if (text.length > item.text!.length && text.startsWith(item.text!)) {
        item.text = text
        items.grown(item)
      }
      return true
    },
    /** In file order. */
    messages,
    /** The replies that have a record on the active branch. A reply is abandoned only if all of them are. */
    followed: (isAbandoned: (record: string) => boolean): ReadonlySet<number> =>
      new Set(records.flatMap(({ record, reply }) => (isAbandoned(record) ? [] : reply))),
  }
}

const BETWEEN = '\n\n'

/**
 * Appends blocks to the text of an item, unless the text already ends with them. The last blocks are
 * compared, not the text: V8 would copy all of it after each block, and a reply may have thousands.
 */
export function createJoinedBlocks() {
  let current: { item: Item; blocks: string[] } | undefined
  return {
    /** Returns false if the item already ends with this block. */
    add(item: Item, block: string): boolean {
      if (current?.item !== item) current = { item, blocks: [item.text!] }
      const { blocks } = current
      const end = endOf(blocks, block.length + BETWEEN.length)
      if (end === block || end.endsWith(`${BETWEEN}${block}`)) return false
      item.text += `${BETWEEN}${block}`
      blocks.push(block)
      return true
    },
  }
}

/** The end of a joined text: as many blocks as have this many characters together, or all of them. */
function endOf(blocks: readonly string[], length: number): string {
  let from = blocks.length - 1
  let size = blocks[from]!.length
  while (size < length && from > 0) size += BETWEEN.length + blocks[--from]!.length
  return blocks.slice(from).join(BETWEEN)
}

type Part = Extract<Payload, { type: 'message' }>['parts'][number]
type Tool = NonNullable<FoldedItem['tool']>

const TOUCHED_LIMIT = 300
/** How many tool calls are remembered for their results. */
const CALL_MEMORY = 256
/** Maximum length of a stored error line. */
const ERROR_LIMIT = 500

/** Folds tool calls and their results: counts each call once, and joins a result with its call. */
function createToolCalls(context: ReplyContext, counts: ReplyCounts) {
  const { artifact, keep, traits } = context
  // A forked subagent begins with the tool call that started it, which belongs to its parent.
  const made = new Set<string | undefined>([artifact.parentCallId])
  const failed = new Set<string>()
  const declined = new Set<string>()
  /** The latest calls, whose results may follow. */
  const calls = new Map<string, FoldedItem>()
  /** What was done for calls, in a first pass. */
  const doneCalls = new Map<string, Tool>()
  const touched = new Map<string, number>()

  function call(event: SessionEvent, part: Extract<Part, { type: 'tool-call' }>, of: OfCall): void {
    if (part.callId !== undefined) {
      if (made.has(part.callId)) return
      made.add(part.callId)
    }
    counts.toolCalls++
    if (traits.touched && touched.size < TOUCHED_LIMIT)
      for (const path of toolPaths(part.input)) touched.set(path, (touched.get(path) ?? 0) + 1)
    report(event, part)
    if (keep === 'counts') return
    const { callId } = part
    const own = shown(part)
    const done = callId === undefined ? undefined : context.doneCalls?.get(callId)
    const tool = done && done.name !== own.name ? done : own
    const holds = keep === 'full' ? { holds: 'input' as const } : {}
    context.items.push(event, { who: 'tool', tool, callId, ...of, ...holds })
    if (callId !== undefined) remember(callId, context.items.last()!)
  }

  /** The item of the call may have been taken. A second pass knows before what was done. */
  function done({ callId, name, input }: Extract<Payload, { type: 'done' }>): void {
    const item = calls.get(callId)
    if (keep === 'counts') doneCalls.set(callId, shown({ name, input }))
    else if (item?.tool && item.tool.name !== name) {
      Object.assign(item.tool, shown({ name, input }))
      context.items.grown(item)
    }
  }

  /** Reports the texts that a call sends to other agents. */
  function report(event: SessionEvent, part: Extract<Part, { type: 'tool-call' }>): void {
    for (const { text, to } of sentWords(part.name, part.input, traits.asks))
      context.sent({ line: event.origin.line, at: event.at, text, to })
  }

  function shown({ name, input }: Pick<Extract<Part, { type: 'tool-call' }>, 'name' | 'input'>): Tool {
    const target = toolTarget(name, input)
    return { name, target: target?.text, limit: target?.shown }
  }

  function remember(callId: string, item: FoldedItem): void {
    calls.set(callId, item)
    // Results follow their calls closely, so the oldest call can go.
    if (calls.size > CALL_MEMORY) calls.delete(calls.keys().next().value!)
  }

  /** Whether the failure of a call was counted before, in a history that the client writes again. */
  const failedBefore = (callId: string | undefined): boolean => traits.mirrors && wasIn(failed, callId)

  /** Whether an earlier record, such as the answer to a question for permission, has the denial of a call. */
  const deniedBefore = (callId: string | undefined): boolean => wasIn(declined, callId)

  function result(event: SessionEvent, part: Extract<Part, { type: 'tool-result' }>): void {
    const { callId } = part
    const tool = callId === undefined ? undefined : calls.get(callId)?.tool
    const shownTool = tool ?? (part.toolName ? { name: part.toolName } : undefined)
    if (part.denied && !deniedBefore(callId))
      context.items.push(event, { who: 'marker', marker: 'denial', tool: shownTool, callId })
    if (keep === 'full')
      context.items.push(event, { who: 'tool', label: 'output', tool: shownTool, callId, holds: 'output' })
    if (part.error === undefined || failedBefore(callId)) return
    const sure = part.error === 'sure'
    if (sure) counts.errors++
    else counts.possibleErrors++
    const { errorLine: text } = part
    context.items.push(event, { who: 'error', text, limit: ERROR_LIMIT, tool: shownTool, callId, sure })
  }

  return { touched, call, done, doneCalls, result }
}

/** Whether a call is in a set, to which it is added. */
function wasIn(calls: Set<string>, callId: string | undefined): boolean {
  if (callId === undefined) return false
  const isKnown = calls.has(callId)
  calls.add(callId)
  return isKnown
}
