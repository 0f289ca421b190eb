import type { Artifact } from '../artifact.ts'
import type { Origin, Payload, SessionEvent } from '../event.ts'
import { append } from '../lists.ts'
import type { Item, Session } from '../session.ts'
import type { Dispatch } from '../session-links.ts'
import { createAccounting, plainAccounting } from './accounting.ts'
import { createBranches, createTurns } from './branches.ts'
import { inFileOrder, promptItem } from './item.ts'
import { createItemList } from './item-list.ts'
import { createMarkers } from './markers.ts'
import { createPrompts } from './prompts.ts'
import { createReplies } from './replies.ts'
import type { Keep } from './reply-context.ts'
import { sessionRow } from './session-row.ts'
import { createSettlement, finishItem, type Settlement } from './settlement.ts'
import { createSideQuestions } from './side-questions.ts'
import { QUOTE_LIMIT } from './speakers.ts'
import { createTitles } from './titles.ts'
import { type FoldTraits, PLAIN } from './traits.ts'
import { createWhereabouts } from './whereabouts.ts'

export type { Keep } from './reply-context.ts'

type Message = Extract<Payload, { type: 'message' }>

export interface FoldOptions {
  keep: Keep
  /** Platform-specific behavior. The default suits any platform. */
  traits?: FoldTraits
  /** Redacts a text before it is used. */
  clean?(text: string): string
  /** Second pass: the result of the first. */
  settled?: Settlement
}

/** The session and its speakers, as far as the file was read. */
export interface Settled {
  session: Session
  settlement: Settlement
  /** The text of the only prompt of a session that a script may have started. */
  only?: string
}

/**
 * Folds the events of one file, in file order, into a session and, unless `keep` is `counts`, its items.
 * Everything that depends on neighbors is decided here: joined replies, duplicate records, the queue,
 * mirrors, titles, branches, and the speakers of sessions without a human.
 */
export function createFold(
  artifact: Artifact,
  { keep, traits = PLAIN, clean = (text) => text, settled }: FoldOptions,
) {
  const keepItems = keep !== 'counts'
  const accounting = createAccounting()
  const prompts = createPrompts(artifact)
  const branches = createBranches()
  const turns = createTurns()
  /** The records being read are copies. */
  let copying = false
  /** The next prompt of a human may be a directive. */
  let isDirected = false
  const titles = createTitles(withCleanHint(artifact, clean), QUOTE_LIMIT)
  const whereabouts = createWhereabouts(artifact)
  const items = createItemList(keepItems)
  const questions = createSideQuestions(artifact.sideQuestions, clean)
  let current: Origin = { line: 1, offset: 0, length: 0 }
  let next = current
  const sent: Dispatch[] = []
  let nextPrompt = 0
  let lines = 0
  let startedMs: number | undefined
  let lastActivityMs: number | undefined
  const replies = createReplies({
    artifact,
    keep,
    traits,
    clean,
    push: items.push,
    sent: (dispatch) => void sent.push(dispatch),
    last: items.last,
    turn: turns.count,
    grown: items.grown,
  })
  const { counts } = replies
  const marker = createMarkers({ keep, clean, counts, items })

  function time(at: number | undefined): void {
    if (at === undefined) return
    if (startedMs === undefined || at < startedMs) startedMs = at
    if (lastActivityMs === undefined || at > lastActivityMs) lastActivityMs = at
    questions.reached(at, current)
  }

  /** Returns false if the file already contained the record, as after a compaction or in a copied span. */
  const fresh = (id: string | undefined, index: number): boolean =>
    id === undefined || branches.see(index === 0 ? id : `${id}#${index}`)

  function prompt(event: SessionEvent, message: Message): void {
    if (settled) return
    const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []))
    const media = message.parts.flatMap((part) => (part.type === 'media' ? [part.name] : []))
    const text = texts
      .filter((each) => each !== '')
      .map(clean)
      .join('\n\n')
    const { kindEvidence, lastOnly, unmarked, attended } = message
    if (attended === 'certainly') prompts.attend()
    const { speaker, label } = isDirective(message) ? DIRECTIVE : message
    prompts.add({
      // Drops the parts, because a prompt may stay in memory for long.
      event: { ...event, payload: { ...message, parts: [] } },
      speaker,
      text: text === '' ? undefined : text,
      media,
      label,
      kindEvidence,
      lastOnly,
      unmarked,
      attended,
    })
  }

  /** Whether the prompt repeats what the human typed in the parent. Only the first one can. */
  function isDirective({ speaker, mayBeDirective = false }: Message): boolean {
    if (speaker !== 'human') return false
    const wasDirected = isDirected
    isDirected = false
    return wasDirected && mayBeDirective
  }

  /** Second pass: emits the prompts that precede a position in the file. */
  function promptsBefore(line: number, order: number): void {
    for (let prompt = settled?.prompts[nextPrompt]; prompt; prompt = settled?.prompts[nextPrompt]) {
      const { origin } = prompt.event
      if (origin.line > line || (origin.line === line && prompt.event.order >= order)) return
      items.push(prompt.event, promptItem(prompt))
      nextPrompt++
    }
  }

  /** Updates the branches: a message extends the conversation, and a user message begins a turn. */
  function branch({ id, index, order, origin }: SessionEvent, message: Message): void {
    if (message.label === 'subagent' || message.label === 'parent agent') return
    if (id !== undefined) branches.tip(id)
    if (message.role !== 'user' || index > 0 || MID_TURN_LABELS.has(message.label ?? '')) return
    turns.begin(origin.line, order)
    if (id !== undefined) branches.turn(id)
  }

  function message(event: SessionEvent, payload: Message): void {
    // Results without errors yield no items.
    if (payload.role === 'tool' && keep !== 'full' && !payload.parts.some(yieldsItem)) return
    if (!fresh(event.id, event.index)) return
    if (payload.role !== 'tool') branch(event, payload)
    if (payload.role === 'assistant') replies.reply(event, payload)
    else if (payload.role === 'tool')
      for (const part of payload.parts) {
        if (part.type === 'tool-result') replies.result(event, part)
        else if (part.type === 'opaque') replies.opaque(event, part.name)
      }
    else prompt(event, payload)
  }

  /** The model of a turn is that of its replies and its usage. */
  function turn(event: SessionEvent, model: string | undefined): void {
    if (model === undefined) return
    marker(event, { type: 'marker', marker: 'model-change', text: model })
    counts.turnModel = model
  }

  /** Folds one event. Problems with the data go to the accounting. */
  function event(event: SessionEvent): void {
    const { payload } = event
    if (copying) {
      copying = payload.type !== 'copied'
      return
    }
    if (settled) promptsBefore(event.origin.line, event.order)
    time(event.at)
    // The prompts and turns decide where a session ran.
    const isPrompt = payload.type === 'turn' || (payload.type === 'message' && payload.role === 'user')
    if (isPrompt || !whereabouts.hasDirectory()) whereabouts.addDirectory(event.cwd, event.sessionId)
    if (isPrompt) whereabouts.workedWith(event)
    switch (payload.type) {
      case 'message':
        message(event, payload)
        return
      case 'queue':
        prompts.queue({
          ...event,
          payload: { ...payload, text: payload.text === undefined ? undefined : clean(payload.text) },
        })
        return
      case 'marker':
        if (event.id !== undefined && event.parentId !== undefined) branches.join(event.id, event.parentId)
        if (payload.byHuman) prompts.attend()
        if (fresh(event.id, event.index)) marker(event, payload)
        return
      case 'title':
        titles.add({ ...payload, title: clean(payload.title) })
        return
      case 'session':
        whereabouts.session(payload)
        copying = payload.copies === true
        return
      case 'directive-follows':
        isDirected ||= fresh(event.id, event.index)
        return
      case 'turn':
        turn(event, payload.model)
        return
      case 'taken-back':
        turns.takeBack(payload.turns, event.origin.line, event.order)
        return
      case 'usage':
        if (fresh(event.id, event.index)) replies.usage(event, payload)
        return
      case 'leaf':
        branches.tip(payload.target)
        return
      case 'link':
        whereabouts.link(payload)
        return
      case 'stated-usage': {
        const position = { line: event.origin.line, sum: payload.sum, at: lastActivityMs }
        for (const used of payload.used)
          replies.usages.stated.state(event.sessionId ?? artifact.sessionId, used, position)
        return
      }
      case 'copied':
      case 'skipped':
      case 'unknown':
        return
    }
  }

  function settle(): Settled {
    const found = prompts.settle((known) => questions.settle(known, next), whereabouts.kindHint())
    const { kind, only, row } = found
    const session = sessionRow({
      artifact,
      clean,
      prompts: row,
      kind,
      only,
      replies,
      titles,
      whereabouts,
      lines,
      accounting: plainAccounting(accounting),
      startedMs,
      lastActivityMs,
      contains: branches.contains,
    })
    const { abandoned } = branches
    return { session, only, settlement: createSettlement(found.prompts, { abandoned, turns, replies }) }
  }

  return {
    accounting,
    event,
    /** Counts a non-empty line. */
    line(origin: Origin): void {
      lines++
      current = origin
      next = { line: origin.line + 1, offset: origin.offset + origin.length + 1, length: 0 }
    },
    link: branches.link,
    /** Usage by reply, so far. */
    usages: replies.usages,
    settle,
    /** Takes the texts that tool calls sent to other agents since the last call. */
    drainSent: (): Dispatch[] => sent.splice(0),
    /** Finishes a file that was read in one go: returns all items in order. */
    finish(): { session: Session; items: Item[]; settlement: Settlement } {
      const { session, settlement } = settle()
      const all = items.all()
      if (keepItems) {
        append(all, settlement.promptItems())
        for (const item of all) finishItem(item, settlement, clean)
        all.sort(inFileOrder)
      }
      return { session, items: all, settlement }
    },
    /**
     * Second pass: takes the items of the lines so far. Keeps back a last message or marker that later lines
     * may extend.
     */
    take(line: number): Item[] {
      promptsBefore(line, Number.POSITIVE_INFINITY)
      const taken = items.take(line === Number.POSITIVE_INFINITY)
      for (const item of taken) finishItem(item, settled!, clean)
      return taken
    },
    /**
     * Takes the items since the last call, without prompts, whose speakers are decided again each time. A
     * message that became longer since is emitted again, with the same position.
     */
    drain: items.drain,
    /** The last item so far. */
    last: items.last,
    /** Approximate memory of the items since then, in bytes. */
    weight: items.weight,
  }
}

export type Fold = ReturnType<typeof createFold>

const DIRECTIVE = { speaker: 'program', label: 'directive' } as const

/** Labels of messages that are sent in the middle of a turn and begin none. */
const MID_TURN_LABELS = new Set(['answer', 'for the summary'])

const yieldsItem = (part: Message['parts'][number]): boolean =>
  part.type === 'opaque' ||
  (part.type === 'tool-result' && (part.error !== undefined || part.denied === true))

/** The title hint is redacted like any other text. */
const withCleanHint = (artifact: Artifact, clean: (text: string) => string): Artifact =>
  artifact.titleHint === undefined ? artifact : { ...artifact, titleHint: clean(artifact.titleHint) }
