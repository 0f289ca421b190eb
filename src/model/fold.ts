import { createAccounting } from './accounting.ts'
import type { Artifact } from './artifact.ts'
import { createBranches } from './branches.ts'
import type { Payload, SessionEvent, Usage } from './event.ts'
import { hashText, type IdHash, IdSet } from './id-set.ts'
import { createPrompts, type Prompt } from './prompts.ts'
import type { Item, Session } from './session.ts'
import { createReplyRecords, createSettlement, type Settlement } from './settlement.ts'
import { createTitles } from './titles.ts'
import { toolPaths, toolTarget } from './tool-target.ts'
import { createUsageCount } from './usage-count.ts'

type Message = Extract<Payload, { type: 'message' }>

/** Bytes of a line, about: how much room the tables of ids begin with. */
const USUAL_LINE = 2500
/** A first message that an index row quotes; shown less, once secrets are out of it. */
const QUOTE_LIMIT = 12_000
const TOUCHED_LIMIT = 300
/** Calls whose results may still come. */
const CALL_MEMORY = 4000
/** Mirrors of a reply follow it closely. */
const MIRROR_MEMORY = 8

/** `counts`: the index row only. `condensed`: the items too. `full`: also where thinking, inputs and outputs stand. */
export type Keep = 'counts' | 'condensed' | 'full'

/**
 * Folds the events of one file, in file order, into its index row and, unless only counts are kept, into what a condensed
 * transcript tells. Everything that needs neighbours is decided here: joined replies, repeated records, the queue,
 * mirrors, titles, branches, and who spoke in a session that no human drove.
 */
export function createFold(artifact: Artifact, keep: Keep, settled?: Settlement) {
  const keepItems = keep !== 'counts'
  const accounting = createAccounting()
  const prompts = createPrompts(artifact)
  const branches = createBranches(artifact.bytes / USUAL_LINE)
  const items: Item[] = []
  const seen = new IdSet(artifact.bytes / USUAL_LINE / 2)
  const replies = new IdSet()
  const calls = new Map<string, NonNullable<Item['tool']>>()
  const callIds = new IdSet()
  const cwds = new Map<string, number>()
  const touched = new Map<string, number>()
  const otherIds = new Set<string>()
  const origins = new Set<string>()
  const hash = { high: 0, low: 0 }
  const record = { high: 0, low: 0 }
  const titles = createTitles(artifact, QUOTE_LIMIT)
  const usages = createUsageCount()
  const recentReplies: string[] = []
  const records = createReplyRecords()
  let nextPrompt = 0
  /** The item told last, also when it was handed on already. */
  let latest: Item | undefined
  let recent = 0
  let lines = 0
  let toolCalls = 0
  let errors = 0
  let possibleErrors = 0
  let startedMs: number | undefined
  let lastActivityMs: number | undefined
  let model: string | undefined
  let parentSessionId = artifact.parentSessionId

  function time(at: number | undefined): void {
    if (at === undefined) return
    if (startedMs === undefined || at < startedMs) startedMs = at
    if (lastActivityMs === undefined || at > lastActivityMs) lastActivityMs = at
  }

  function place(cwd: string | undefined, sessionId: string | undefined): void {
    if (cwd !== undefined) cwds.set(cwd, (cwds.get(cwd) ?? 0) + 1)
    if (sessionId !== undefined && sessionId !== artifact.sessionId && otherIds.size < 20)
      otherIds.add(sessionId)
  }

  /** False when the same record stood in this file before: a rewrite after compaction, a copied span. */
  function fresh(id: string | undefined, index: number): boolean {
    if (id === undefined) return true
    hashText(index === 0 ? id : `${id}#${index}`, hash)
    return seen.add(hash)
  }

  /** Whether a record stands in this file. */
  function stands(id: string): boolean {
    hashText(id, hash)
    return seen.has(hash)
  }

  function push(
    event: SessionEvent,
    item: Omit<Item, 'line' | 'offset' | 'length' | 'at' | 'id' | 'order'>,
  ): void {
    if (!keepItems) return
    latest = { ...item, at: event.at, id: event.id, ...event.origin, order: event.order }
    items.push(latest)
  }

  function reply(event: SessionEvent, message: Message): void {
    const replyId = message.messageId ?? event.id ?? `@${event.origin.offset}.${event.index}`
    if (message.model) model = message.model
    hashText(replyId, hash)
    if (message.usage) usages.add(hash, message.usage)
    const texts: string[] = []
    const media: string[] = []
    for (const part of message.parts) {
      if (part.type === 'text' && part.text.trim() !== '') texts.push(part.text.trim())
      else if (part.type === 'media') media.push(part.name)
    }
    const text = texts.join('\n\n')
    if (text !== '' && !(message.mirror && recentReplies.some((told) => squeeze(told) === squeeze(text)))) {
      recentReplies[recent++ % MIRROR_MEMORY] = text
      replies.add(hash)
      if (event.id !== undefined) {
        hashText(event.id, record)
        records.add(record, hash)
      }
      say(event, replyId, text, media, message.label)
    }
    for (const part of message.parts) {
      if (part.type === 'thinking' && keep === 'full' && part.text !== '')
        push(event, { who: 'agent', label: 'thinking', holds: 'thinking', messageId: replyId })
      else if (part.type === 'tool-call') call(event, part)
      else if (part.type === 'tool-result') result(event, part)
      else if (part.type === 'opaque') opaque(event, part.name)
    }
  }

  /** A block nobody knows is told, so that nothing vanishes without a word. */
  function opaque(event: SessionEvent, name: string): void {
    push(event, { who: 'marker', marker: 'note', text: `a block of unknown kind, ${name}` })
  }

  /** Blocks of one reply that follow each other become one item. */
  function say(event: SessionEvent, messageId: string, text: string, media: string[], label?: string): void {
    if (!keepItems) return
    const last = items.at(-1)
    if (
      last?.who === 'agent' &&
      last.messageId === messageId &&
      last.text !== undefined &&
      last.offset <= event.origin.offset
    ) {
      if (last.text !== text && !last.text.endsWith(`\n\n${text}`)) last.text += `\n\n${text}`
      return
    }
    push(event, { who: 'agent', text, messageId, label, ...(media.length > 0 ? { media } : {}) })
  }

  function call(event: SessionEvent, part: Extract<Message['parts'][number], { type: 'tool-call' }>): void {
    if (part.callId !== undefined) {
      hashText(part.callId, hash)
      if (!callIds.add(hash)) return
    }
    toolCalls++
    if (artifact.platform === 'openclaw' && touched.size < TOUCHED_LIMIT)
      for (const path of toolPaths(part.input)) touched.set(path, (touched.get(path) ?? 0) + 1)
    if (!keepItems) return
    const tool = { name: part.name, target: toolTarget(part.name, part.input) }
    if (part.callId !== undefined) {
      calls.set(part.callId, tool)
      // Results follow their calls closely; the oldest are not asked for any more.
      if (calls.size > CALL_MEMORY) calls.delete(calls.keys().next().value!)
    }
    push(event, {
      who: 'tool',
      tool,
      callId: part.callId,
      ...(keep === 'full' ? { holds: 'input' as const } : {}),
    })
  }

  function result(
    event: SessionEvent,
    part: Extract<Message['parts'][number], { type: 'tool-result' }>,
  ): void {
    const tool = part.callId === undefined ? undefined : calls.get(part.callId)
    const told = tool ?? (part.toolName ? { name: part.toolName } : undefined)
    if (part.denied) push(event, { who: 'marker', marker: 'denial', tool: told, callId: part.callId })
    if (keep === 'full')
      push(event, { who: 'tool', label: 'output', tool: told, callId: part.callId, holds: 'output' })
    if (part.error === undefined) return
    if (part.error === 'sure') errors++
    else possibleErrors++
    push(event, {
      who: 'error',
      text: part.errorLine,
      tool: told,
      callId: part.callId,
      sure: part.error === 'sure',
    })
  }

  function prompt(event: SessionEvent, message: Message): void {
    if (settled) return
    const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []))
    const media = message.parts.flatMap((part) => (part.type === 'media' ? [part.name] : []))
    const text = texts.filter((each) => each !== '').join('\n\n')
    const { speaker, label, kindEvidence, lastOnly } = message
    prompts.add({
      event,
      speaker,
      text: text === '' ? undefined : text,
      media,
      label,
      kindEvidence,
      lastOnly,
    })
  }

  function pushPrompt({ event, speaker, text, label, media }: Prompt): void {
    push(event, { who: speaker, text, label, ...(media.length > 0 ? { media } : {}) })
  }

  /** Second pass: what was said to the agent before a place in the file takes its own. */
  function promptsBefore(line: number, order: number): void {
    for (let each = settled?.prompts[nextPrompt]; each; each = settled?.prompts[nextPrompt]) {
      const { origin } = each.event
      if (origin.line > line || (origin.line === line && each.event.order >= order)) return
      pushPrompt(each)
      nextPrompt++
    }
  }

  function marker(event: SessionEvent, payload: Extract<Payload, { type: 'marker' }>): void {
    if (payload.marker === 'agent-error') {
      errors++
      push(event, { who: 'error', text: payload.text, sure: true })
      return
    }
    if (payload.marker === 'model-change') {
      // The first is no change but the choice the session began with.
      const before = model
      model = payload.text
      if (before === undefined || before === payload.text) return
    }
    if (latest?.who === 'marker' && latest.marker === payload.marker && latest.text === payload.text) return
    push(event, { who: 'marker', marker: payload.marker, text: payload.text })
  }

  /** A conversation goes on where its own people speak, and forks where a turn was taken back and typed anew. */
  function branch(id: string, index: number, message: Message): void {
    if (message.label === 'subagent' || message.label === 'parent agent') return
    branches.tip(id)
    if (message.role === 'user' && index === 0 && message.label !== 'answer') branches.turn(id)
  }

  /** One event. Returns nothing: faults of the data are told in the accounting. */
  function event(each: SessionEvent): void {
    const { payload } = each
    if (settled) promptsBefore(each.origin.line, each.order)
    time(each.at)
    // Prompts are read in every way of reading, so they decide where a session ran.
    if (cwds.size === 0 || (payload.type === 'message' && payload.role === 'user'))
      place(each.cwd, each.sessionId)
    switch (payload.type) {
      case 'message':
        // Results without a fault tell nothing; the fast path does not remember them either.
        if (payload.role === 'tool' && keep !== 'full' && !payload.parts.some(isTold)) return
        if (!fresh(each.id, each.index)) return
        if (each.id !== undefined && payload.role !== 'tool') branch(each.id, each.index, payload)
        if (payload.role === 'assistant') reply(each, payload)
        else if (payload.role === 'tool')
          for (const part of payload.parts) {
            if (part.type === 'tool-result') result(each, part)
            else if (part.type === 'opaque') opaque(each, part.name)
          }
        else prompt(each, payload)
        return
      case 'queue':
        prompts.queue(each)
        return
      case 'marker':
        if (each.id !== undefined && each.parentId !== undefined) branches.join(each.id, each.parentId)
        if (fresh(each.id, each.index)) marker(each, payload)
        return
      case 'title':
        titles.add(payload)
        return
      case 'session':
        if (payload.sessionId && payload.sessionId !== artifact.sessionId) otherIds.add(payload.sessionId)
        if (payload.parentSession) parentSessionId ??= payload.parentSession
        return
      case 'leaf':
        branches.tip(payload.target)
        return
      case 'link':
        if (payload.relation === 'relocated') origins.add(payload.target)
        if (payload.relation === 'worktree' && payload.from) origins.add(payload.from)
        return
      case 'skipped':
      case 'unknown':
        return
    }
  }

  return {
    accounting,
    event,
    /** A non-empty line went by. */
    line: (): void => void lines++,
    link: branches.link,
    /** Whether it is known where the session ran; the fast path need not look again. */
    placed: (): boolean => cwds.size > 0,
    place,
    /** A line that the fast path put in its bucket. */
    glanced(at: number | undefined, id: IdHash, stated: number): void {
      time(at)
      if (stated > 0 && (id.low === 0 || seen.add(id))) errors += stated
    },
    /** The same for a reply or a part of one, of which only the index row is wanted. False when it stood before. */
    glancedReply(
      at: number | undefined,
      id: IdHash,
      messageId: IdHash,
      reply: { words: boolean; usage?: Usage; model?: string; aside: boolean },
    ): boolean {
      time(at)
      if (id.low !== 0 && !seen.add(id)) return false
      if (!reply.aside) branches.tipHash(id)
      if (reply.usage) usages.add(messageId, reply.usage)
      if (reply.model) model = reply.model
      if (!reply.words) return true
      replies.add(messageId)
      records.add(id, messageId)
      return true
    },
    /** A tool call in such a reply. */
    glancedCall(id: IdHash): void {
      if (callIds.add(id)) toolCalls++
    },
    finish(): { session: Session; items: Item[]; settlement: Settlement } {
      const { prompts: spoken, kind } = prompts.settle()
      const said = spoken.filter((each) => each.speaker === 'human')
      const humanTexts = said.flatMap((each) => (each.text === undefined ? [] : [quote(each.text)]))
      const settlement = createSettlement(spoken, branches, records)
      if (keepItems) {
        for (const each of spoken) pushPrompt(each)
        for (const item of items) if (settlement.left(item)) item.offBranch = true
        items.sort((a, b) => a.line - b.line || a.order - b.order)
      }
      const firstProgram = spoken.find((each) => each.speaker === 'program' && each.text)?.text
      const session: Session = {
        id: artifact.sessionId,
        platform: artifact.platform,
        agent: artifact.agent,
        kind,
        state: artifact.state,
        path: artifact.path,
        root: artifact.root,
        bytes: artifact.bytes,
        modifiedMs: artifact.modifiedMs,
        startedMs,
        lastActivityMs,
        lines,
        human: said.length,
        agentMessages: replies.size,
        toolCalls,
        errors,
        possibleErrors,
        title: titles.best(humanTexts[0], stands) ?? (firstProgram && quote(firstProgram)),
        firstHuman: humanTexts[0],
        lastHuman: humanTexts.slice(-3),
        firstProgram: firstProgram && quote(firstProgram),
        accounting: {
          events: accounting.events,
          skipped: accounting.skipped,
          unknown: accounting.unknown,
          malformed: accounting.malformed,
          ...(accounting.malformedAt?.length ? { malformedAt: accounting.malformedAt } : {}),
        },
        cwds: ranked(cwds),
        touched: ranked(touched),
        origins: [...origins],
        slug: artifact.slug,
        sessionKey: artifact.sessionKey,
        parentSessionId: parentSessionId ?? (artifact.kindHint === 'subagent' ? [...otherIds][0] : undefined),
        parentCallId: artifact.parentCallId,
        fork: artifact.fork,
        subagent: artifact.subagent,
        otherIds: [...otherIds],
        model,
        usage: usages.total(),
      }
      return { session, items, settlement }
    },
    /** Second pass: the items of the lines so far. The last words are held back, for more may be joined to them. */
    take(line: number): Item[] {
      promptsBefore(line, Number.POSITIVE_INFINITY)
      const held =
        items.at(-1)?.who === 'agent' && line !== Number.POSITIVE_INFINITY ? items.pop() : undefined
      const taken = items.splice(0)
      if (held) items.push(held)
      for (const item of taken) if (settled!.left(item)) item.offBranch = true
      return taken
    },
  }
}

export type Fold = ReturnType<typeof createFold>

const isTold = (part: Message['parts'][number]): boolean =>
  part.type === 'opaque' ||
  (part.type === 'tool-result' && (part.error !== undefined || part.denied === true))

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

const quote = (text: string): string => (text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT)}…` : text)

const ranked = (counts: Map<string, number>): [string, number][] => [...counts].sort((a, b) => b[1] - a[1])
