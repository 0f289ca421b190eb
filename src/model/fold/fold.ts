import type { Artifact } from '../artifact.ts'
import type { Draft, Origin, Payload, SessionEvent } from '../event.ts'
import { append } from '../iteration.ts'
import { asText, mapStrings, valueAt } from '../json.ts'
import type { Accounting, Item, Session } from '../session.ts'
import { askedLater } from '../title.ts'
import { createBranches, createSettlement, createTurns, finishedItem, type Settlement } from './branches.ts'
import { createCopies } from './copies.ts'
import { createItemList, createMarkers, inFileOrder, type Keep, type SentText } from './items.ts'
import { createPrompts, createSideQuestions, promptItem } from './prompts.ts'
import { createReplies } from './replies.ts'
import { createSharedIds } from './shared-ids.ts'
import { type FoldTraits, PLAIN_TRAITS } from './tool-arguments.ts'
import { createTitles, createWhereabouts, ranked } from './whereabouts.ts'

type Message = Extract<Payload, { type: 'message' }>

interface FoldOptions {
  keep: Keep
  /** Platform-specific behavior. The default suits any platform. */
  traits?: FoldTraits
  /** Redacts a text before it is used. */
  clean?(text: string): string
  /** Second pass: the result of the first. */
  settled?: Settlement
}

/**
 * Folds the events of one file, in file order, into a session and, unless `keep` is `counts`, its items.
 * Everything that depends on neighbors is decided here: joined replies, duplicate records, the queue,
 * mirrors, titles, branches, and the speakers of sessions without a human.
 */
export function createFold(
  artifact: Artifact,
  { keep, traits = PLAIN_TRAITS, clean = (text) => text, settled }: FoldOptions,
) {
  const keepItems = keep !== 'counts'
  const accounting = createAccounting()
  /** Prompts are redacted for their items, and for the session row each time it is made. */
  const cleanPrompt = remembering(clean)
  const prompts = createPrompts(artifact, cleanPrompt)
  const branches = createBranches()
  const turns = createTurns()
  const copies = createCopies()
  const sharedIds = createSharedIds()
  /** What the next prompt of a human is labeled with, if it may be a directive and is not later than this. */
  let directive: { label: string; until: number } | undefined
  /** Who started the turn, where prompts do not say it. */
  let starter: 'human' | { program: string } = 'human'
  const titles = createTitles(artifact)
  const whereabouts = createWhereabouts(artifact)
  const items = createItemList(keepItems)
  const questions = createSideQuestions(artifact.sideQuestions)
  let current: Origin = { line: 1, offset: 0, length: 0 }
  let next = current
  let nextPrompt = 0
  let lines = 0
  /** The time of the first record that has one, and the earliest of all. */
  let begunMs: number | undefined
  let startedMs: number | undefined
  let lastActivityMs: number | undefined
  const sent: SentText[] = []
  const replies = createReplies({
    artifact,
    keep,
    traits,
    items,
    sent: (words) => void sent.push(words),
    turn: turns.count,
    doneCalls: settled?.doneCalls,
  })
  const { counts } = replies
  const marker = createMarkers(keep, counts, items)

  function time(at: number | undefined): void {
    if (at === undefined) return
    begunMs ??= at
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
    const text = texts.filter((each) => each !== '').join('\n\n')
    const { kindEvidence, lastOnly, unmarked, attended } = message
    if (attended === 'certainly') prompts.attend()
    const { speaker, label } = directiveOf(message, event.at) ?? senderOf(message)
    prompts.add({
      // Drops the parts, because a prompt may stay in memory for long.
      event: { ...event, payload: { ...message, parts: [] } },
      text: text === '' ? undefined : text,
      speaker,
      media,
      label,
      kindEvidence,
      lastOnly,
      unmarked,
      attended,
    })
  }

  /** Who sent a prompt, which may not say whether a person did. */
  const senderOf = ({ speaker, label, unmarked }: Message): Sender =>
    unmarked && speaker === 'human' && starter !== 'human'
      ? { speaker: 'program', label: starter.program }
      : { speaker, label }

  /** The sender of a prompt that repeats what the human typed, or expands it. Only the next prompt can. */
  function directiveOf({ speaker, mayBeDirective = false }: Message, at = 0): Sender | undefined {
    if (speaker !== 'human') return undefined
    const next = directive
    directive = undefined
    return mayBeDirective && next && at <= next.until ? { speaker: 'program', label: next.label } : undefined
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
    turns.begin(origin.line, order, id)
    if (id !== undefined) branches.turn(id)
  }

  function message(event: SessionEvent, payload: Message): void {
    // Results without errors yield no items.
    if (payload.role === 'tool' && keep !== 'full' && !payload.parts.some(yieldsItem)) return
    if (!fresh(event.id, event.index)) {
      if (payload.mayGrow) replies.grow(event, payload)
      return
    }
    if (payload.role !== 'tool') branch(event, payload)
    if (payload.role === 'assistant') {
      directive = undefined
      replies.reply(event, payload)
    } else if (payload.role === 'tool')
      for (const part of payload.parts) {
        if (part.type === 'tool-result') replies.result(event, part)
        else if (part.type === 'opaque') replies.opaque(event, part.name)
      }
    else prompt(event, payload)
  }

  /** The model of a turn is that of its replies and its usage. Its terms hold until others are stated. */
  function turn(event: SessionEvent, { model, terms }: Extract<Payload, { type: 'turn' }>): void {
    if (terms) counts.turnTerms = terms
    if (model === undefined) return
    marker(event, { type: 'marker', marker: 'model-change', text: model })
    counts.turnModel = model
  }

  /** Folds one event. Problems with the data go to the accounting. */
  function event(read: SessionEvent): void {
    const event = sharedIds.name(read, whereabouts.isOlder(read))
    const { payload } = event
    if (copies.isCopy(event)) {
      if (payload.type === 'usage') replies.inherit(payload)
      if (payload.type === 'message' && copies.areShown()) {
        time(event.at)
        message(event, { ...payload, role: 'user', speaker: 'program', label: 'copy' })
      }
      return
    }
    if (settled) promptsBefore(event.origin.line, event.order)
    if (!whereabouts.isOlder(event)) time(event.at)
    // The prompts and turns decide where a session ran.
    const isPrompt = payload.type === 'turn' || (payload.type === 'message' && payload.role === 'user')
    if (isPrompt || !whereabouts.hasDirectory()) whereabouts.addDirectory(event.cwd, event.sessionId)
    if (isPrompt) whereabouts.workedWith(event)
    switch (payload.type) {
      case 'message':
        message(event, payload)
        return
      case 'queue':
        prompts.queue(event)
        return
      case 'marker':
        if (event.id !== undefined && event.parentId !== undefined) branches.join(event.id, event.parentId)
        if (payload.byHuman && starter === 'human') prompts.attend()
        if (!fresh(event.id, event.index)) return
        marker(event, payload.byHuman && starter !== 'human' ? ABORTED : payload)
        return
      case 'title':
        titles.add(payload)
        return
      case 'session':
        whereabouts.session(payload)
        return
      case 'directive-follows':
        if (!fresh(event.id, event.index)) return
        directive = {
          label: payload.label ?? 'directive',
          until: (event.at ?? 0) + (payload.withinMs ?? Number.POSITIVE_INFINITY),
        }
        return
      case 'turn':
        starter = payload.startedBy ?? starter
        turn(event, payload)
        return
      case 'taken-back':
        turns.takeBack(payload.turns, event.origin.line, event.order)
        return
      case 'turns':
        turns.rename(payload.ids)
        return
      case 'usage':
        if (fresh(event.id, event.index)) replies.usage(event, payload)
        return
      case 'done':
        replies.done(payload)
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

  /**
   * The session and its speakers, as far as the file was read. `only`: the text of the only prompt of a
   * session that a script may have started.
   */
  function settle() {
    replies.settle()
    const found = prompts.settle((known) => questions.settle(known, next), whereabouts.kindHint())
    const settlement = createSettlement(found.prompts, branches.abandoned, turns, replies, items.others)
    return { session: row(found), only: found.only, settlement }
  }

  /** The session row, as far as the file was read. */
  function row(found: ReturnType<typeof prompts.settle>): Session {
    const { first, firstProgram: program, firstPromptMs, firstPromptId, sent, only } = found
    const quote = (text: string): string => {
      const cleaned = cleanPrompt(text)
      return cleaned.length > QUOTE_LIMIT ? `${cleaned.slice(0, QUOTE_LIMIT)}…` : cleaned
    }
    const quoted = first.map(quote)
    const firstProgram = program === undefined ? undefined : quote(program)
    const title = titles.best(first[0], branches.contains)
    const { cwds, origins, parentSessionId, otherIds, version, ...further } = whereabouts.row()
    return {
      id: artifact.sessionId,
      platform: artifact.platform,
      agent: artifact.agent,
      kind: found.kind,
      state: artifact.state,
      path: artifact.path,
      root: artifact.root,
      bytes: artifact.bytes,
      modifiedMs: artifact.modifiedMs,
      startedMs,
      lastActivityMs,
      lines,
      human: found.human,
      agentMessages: replies.texts.size(),
      toolCalls: counts.toolCalls,
      errors: counts.errors,
      possibleErrors: counts.possibleErrors,
      title:
        (title === first[0] ? quoted[0] : title && cleanPrompt(title).slice(0, QUOTE_LIMIT)) ?? firstProgram,
      firstHuman: quoted[0],
      lastHuman: found.last.map(quote),
      opening: artifact.slug === undefined && first.length > 1 ? quoted : undefined,
      asked: askedLater(quoted),
      firstProgram,
      accounting: plainAccounting(accounting),
      cwds,
      touched: ranked(replies.touched),
      origins,
      slug: artifact.slug,
      sessionKey: artifact.sessionKey,
      entry: artifact.entry && mapStrings(artifact.entry, cleanPrompt),
      parentSessionId,
      parentCallId: artifact.parentCallId,
      fork: artifact.fork,
      otherIds,
      model: counts.model,
      version,
      ...further,
      ...(firstPromptMs !== undefined && { firstPromptMs }),
      ...(firstPromptId !== undefined && { firstPromptId }),
      // What is older than the session was copied into it.
      ...(firstPromptMs !== undefined &&
        firstPromptMs < begunMs! && { forked: true, forkedMs: further.forkedMs ?? begunMs }),
      usage: replies.usages.total(),
      recorded: replies.usages.recorded(),
      ...(sent.length > 0 ? { promptedBy: sent } : {}),
      ...(only !== undefined && artifact.links?.script ? { script: artifact.links.script } : {}),
    }
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
    drainSent: (): SentText[] => sent.splice(0),
    cleanPrompt,
    /** Finishes a file that was read in one go: returns all items in order. */
    finish(): { session: Session; items: Item[]; settlement: Settlement } {
      const { session, settlement } = settle()
      const all = items.all()
      if (keepItems) append(all, settlement.promptItems())
      const finished = all.map((item) => finishedItem(item, settlement, clean))
      return { session, items: finished.sort(inFileOrder), settlement }
    },
    /**
     * Second pass: takes the items of the lines so far. Keeps back a last message or marker that later lines
     * may extend.
     */
    take(line: number): Item[] {
      promptsBefore(line, Number.POSITIVE_INFINITY)
      const taken = items.take(line === Number.POSITIVE_INFINITY)
      return taken.map((item) => finishedItem(item, settled!, clean))
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

/** Messages in a session row are cut to this many characters. Less is shown. */
const QUOTE_LIMIT = 12_000

/** A program that starts a turn may also end it, as its client does when it exits. */
const ABORTED: Extract<Payload, { type: 'marker' }> = {
  type: 'marker',
  marker: 'note',
  text: 'the turn was aborted',
}

type Sender = Pick<Message, 'speaker' | 'label'>

/** Labels of messages that are sent in the middle of a turn and begin none. */
const MID_TURN_LABELS = new Set(['answer', 'for the summary'])

const yieldsItem = (part: Message['parts'][number]): boolean =>
  part.type === 'opaque' ||
  (part.type === 'tool-result' && (part.error !== undefined || part.denied === true))

/** The same function, which remembers its results. */
function remembering(clean: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    let cleaned = known.get(text)
    if (cleaned === undefined) {
      cleaned = clean(text)
      known.set(text, cleaned)
    }
    return cleaned
  }
}

/** Passes the entries of one line to the fold and counts the line. */
export function foldEntries(
  { entries, damaged }: { entries: readonly unknown[]; damaged: boolean },
  origin: Origin,
  /** How the records of a platform are understood, with the paths of a record's id and of its parent's. */
  platform: { normalize(entry: unknown): Draft[]; record: { id?: string; parentId?: string } },
  fold: Fold,
): void {
  // A torn line that contains a whole record is counted as that record.
  if (entries.length === 0) {
    fold.accounting.damaged(origin.offset)
    return
  }
  // What is left of a torn line says nothing reliable about branches.
  if (entries.length === 1 && !damaged) {
    const id = asText(valueAt(entries[0], platform.record.id))
    if (id) fold.link(id, asText(valueAt(entries[0], platform.record.parentId)) || undefined)
  }
  const drafts = entries.flatMap((entry) => platform.normalize(entry))
  const { bucket, name } = bucketOf(drafts)
  fold.accounting.add(bucket, name)
  if (damaged) fold.accounting.torn(origin.offset)
  const counts = new Map<string | undefined, number>()
  for (const [order, draft] of drafts.entries()) {
    const index = counts.get(draft.id) ?? 0
    counts.set(draft.id, index + 1)
    fold.event({ ...draft, origin, index, order })
  }
}

const REMEMBERED = 100

/**
 * The bucket of a parsed line: event if it yielded any, else unknown if it contains anything unknown, else
 * skipped.
 */
export function bucketOf(drafts: readonly Draft[]): {
  bucket: 'event' | 'skipped' | 'unknown'
  name: string
} {
  let skipped = ''
  let unknown = ''
  for (const { payload } of drafts) {
    if (payload.type === 'skipped') skipped ||= payload.name
    else if (payload.type === 'unknown') unknown ||= payload.name
    else return { bucket: 'event', name: '' }
  }
  return unknown ? { bucket: 'unknown', name: unknown } : { bucket: 'skipped', name: skipped || 'empty' }
}

/** Counts every line once. */
function createAccounting(): Accounting & {
  add(bucket: 'event' | 'skipped' | 'unknown', name: string): void
  damaged(offset: number): void
  torn(offset: number): void
} {
  return {
    events: 0,
    skipped: {},
    unknown: {},
    malformed: 0,
    malformedAt: [],
    add(bucket, name) {
      if (bucket === 'event') this.events++
      else this[bucket][name] = (this[bucket][name] ?? 0) + 1
    },
    /** Remembers the offset of a torn line from which a whole record was recovered. */
    torn(offset) {
      if (this.malformedAt!.length < REMEMBERED) this.malformedAt!.push(offset)
    },
    damaged(offset) {
      this.malformed++
      if (this.malformedAt!.length < REMEMBERED) this.malformedAt!.push(offset)
    },
  }
}

/** The counts alone, as stored with a session. */
const plainAccounting = ({ events, skipped, unknown, malformed, malformedAt }: Accounting): Accounting => ({
  events,
  skipped,
  unknown,
  malformed,
  ...(malformedAt?.length ? { malformedAt } : {}),
})
