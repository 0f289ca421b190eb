import { createAccounting, plainAccounting } from './accounting.ts'
import type { Artifact } from './artifact.ts'
import { type BranchState, createBranches } from './branches.ts'
import type { Origin, Payload, SessionEvent, Usage } from './event.ts'
import { hashText, type IdHash, IdSet } from './id-set.ts'
import { inFileOrder, itemOf, toldPrompt } from './item.ts'
import { append } from './lists.ts'
import { createPrompts, type Prompt, type PromptState } from './prompts.ts'
import { createReplies, type Keep, type ReplyState, type Told } from './replies.ts'
import type { Accounting, Item, Session } from './session.ts'
import { cleanEntry } from './session-entry.ts'
import type { Dispatch } from './session-links.ts'
import { createSettlement, finishItem, type Settlement } from './settlement.ts'
import { createSideQuestions, type SideQuestionState } from './side-questions.ts'
import { slugMatches } from './slug.ts'
import { createTitles, type TitleState } from './titles.ts'

export type { Keep } from './replies.ts'

type Message = Extract<Payload, { type: 'message' }>

/** Bytes of a line, about: how much room the tables of ids begin with. */
const USUAL_LINE = 2500
/** However long a file says it is, room for so many records is made before any was read. */
const MOST_EXPECTED = 1_000_000
/** A first message that an index row quotes; shown less. */
const QUOTE_LIMIT = 12_000

const MOST_BRANCHES = 50
/** What a client names where no branch is checked out. */
const DETACHED = 'HEAD'

/** What an item takes beside its words, about, in bytes. */
const ITEM_WEIGHT = 500

/** Everything the fold knows of a file that was read so far, as plain data: reading goes on from here. */
export interface FoldState {
  accounting: Accounting
  prompts: PromptState
  branches: BranchState
  titles: TitleState
  replies: ReplyState
  seen: Int32Array
  cwds: Map<string, number>
  otherIds: Set<string>
  origins: Set<string>
  lines: number
  startedMs?: number
  lastActivityMs?: number
  parentSessionId?: string
  latest?: Item
  version?: string
  gitBranches: Set<string>
  sideQuestions: SideQuestionState
  /** The line that comes next: its number, and where it begins. */
  next: Origin
}

export interface FoldOptions {
  keep: Keep
  /** Takes secrets out of every text before anything is made of it. */
  clean?(text: string): string
  /** Second pass: what the end of the file told. */
  settled?: Settlement
  /** Goes on where another fold of the same file stopped. */
  state?: FoldState
}

/**
 * Folds the events of one file, in file order, into its index row and, unless only counts are kept, into what a condensed
 * transcript tells. Everything that needs neighbours is decided here: joined replies, repeated records, the queue,
 * mirrors, titles, branches, and who spoke in a session that no human drove.
 */
export function createFold(
  artifact: Artifact,
  { keep, clean = (text) => text, settled, state }: FoldOptions,
) {
  const keepItems = keep !== 'counts'
  const accounting = createAccounting(state?.accounting)
  const prompts = createPrompts(artifact, state?.prompts)
  const expected = Math.min(artifact.bytes / USUAL_LINE, MOST_EXPECTED)
  const branches = createBranches(expected, state?.branches)
  const seen = new IdSet(expected / 2, state?.seen)
  const titles = createTitles(withCleanHint(artifact, clean), QUOTE_LIMIT, state?.titles)
  const cwds = state?.cwds ?? new Map<string, number>()
  const otherIds = state?.otherIds ?? new Set<string>()
  const origins = state?.origins ?? new Set<string>()
  const gitBranches = state?.gitBranches ?? new Set<string>()
  let version = state?.version
  const aside = createSideQuestions(artifact.sideQuestions, clean, state?.sideQuestions)
  let current: Origin = state?.next ?? { line: 1, offset: 0, length: 0 }
  let next = current
  const hash = { high: 0, low: 0 }
  let items: Item[] = []
  const sent: Dispatch[] = []
  let weight = 0
  let nextPrompt = 0
  /** The item told last, also when it was handed on already. */
  let latest = state?.latest
  let handedOn = latest
  let lines = state?.lines ?? 0
  let startedMs = state?.startedMs
  let lastActivityMs = state?.lastActivityMs
  let parentSessionId = state?.parentSessionId ?? artifact.parentSessionId
  const replies = createReplies(
    {
      artifact,
      keep,
      clean,
      push,
      sent: (dispatch) => void sent.push(dispatch),
      last: () => latest,
      grown,
    },
    state?.replies,
  )
  const { counts } = replies

  function time(at: number | undefined): void {
    if (at === undefined) return
    if (startedMs === undefined || at < startedMs) startedMs = at
    if (lastActivityMs === undefined || at > lastActivityMs) lastActivityMs = at
    aside.reached(at, current)
  }

  function place(cwd: string | undefined, sessionId: string | undefined): void {
    if (cwd !== undefined) cwds.set(cwd, (cwds.get(cwd) ?? 0) + 1)
    if (sessionId !== undefined && sessionId !== artifact.sessionId && otherIds.size < 20)
      otherIds.add(sessionId)
  }

  /** With which client, and on which branch of a repository. */
  function workedWith(prompt: SessionEvent): void {
    version = prompt.version ?? version
    if (prompt.branch === undefined || prompt.branch === DETACHED) return
    gitBranches.delete(prompt.branch)
    if (gitBranches.size < MOST_BRANCHES) gitBranches.add(prompt.branch)
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

  function push(event: SessionEvent, item: Told): void {
    if (!keepItems) return
    latest = itemOf(event, item, latest)
    items.push(latest)
    weight += ITEM_WEIGHT + (item.text?.length ?? 0)
  }

  /** More was joined to an item: where it was handed on already, it is told again. */
  function grown(item: Item): void {
    if (item !== handedOn) return
    handedOn = undefined
    items.push(item)
  }

  function prompt(event: SessionEvent, message: Message): void {
    if (settled) return
    const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []))
    const media = message.parts.flatMap((part) => (part.type === 'media' ? [part.name] : []))
    const text = texts
      .filter((each) => each !== '')
      .map(clean)
      .join('\n\n')
    const { speaker, label, kindEvidence, lastOnly, unmarked } = message
    prompts.add({
      // Its parts were taken out: what waits here may wait long.
      event: { ...event, payload: { ...message, parts: [] } },
      speaker,
      text: text === '' ? undefined : text,
      media,
      label,
      kindEvidence,
      lastOnly,
      unmarked,
    })
  }

  /** Second pass: what was said to the agent before a place in the file takes its own. */
  function promptsBefore(line: number, order: number): void {
    for (let each = settled?.prompts[nextPrompt]; each; each = settled?.prompts[nextPrompt]) {
      const { origin } = each.event
      if (origin.line > line || (origin.line === line && each.event.order >= order)) return
      push(each.event, toldPrompt(each))
      nextPrompt++
    }
  }

  function marker(event: SessionEvent, payload: Extract<Payload, { type: 'marker' }>): void {
    const text = payload.text === undefined ? undefined : clean(payload.text)
    if (payload.marker === 'agent-error') {
      counts.errors++
      push(event, { who: 'error', text, sure: true })
      return
    }
    if (payload.marker === 'model-change') {
      // The first is no change but the choice the session began with.
      const before = counts.model
      counts.model = payload.text
      if (before === undefined || before === payload.text || keep !== 'full') return
    }
    if (SUMMARIES.has(payload.marker)) {
      summary(event, payload.marker, text)
      return
    }
    if (latest?.who === 'marker' && latest.marker === payload.marker && latest.text === text) return
    push(event, { who: 'marker', marker: payload.marker, text })
  }

  /**
   * The model's own account of what went before may be longer than all else: its size is told, and with `full` where it stands.
   * A client may tell first that it compacted, and then to what.
   */
  function summary(event: SessionEvent, marker: string, text: string | undefined): void {
    const size = text === undefined ? undefined : sizeOf(text)
    const holds = keep === 'full' && size !== undefined ? { holds: 'summary' as const } : {}
    if (
      latest?.who !== 'marker' ||
      latest.marker !== marker ||
      (size && latest.text && latest.text !== size)
    ) {
      push(event, { who: 'marker', marker, text: size, ...holds })
      return
    }
    if (size === undefined || latest.text === size) return
    const { offset, length } = event.origin
    Object.assign(latest, { text: size, ...holds }, keep === 'full' ? { offset, length } : {})
    grown(latest)
  }

  /** A conversation goes on where its own people speak, and forks where a turn was taken back and typed anew. */
  function branch(id: string, index: number, message: Message): void {
    if (message.label === 'subagent' || message.label === 'parent agent') return
    branches.tip(id)
    if (message.role === 'user' && index === 0 && !beside.has(message.label ?? '')) branches.turn(id)
  }

  function message(each: SessionEvent, payload: Message): void {
    // Results without a fault tell nothing; the fast path does not remember them either.
    if (payload.role === 'tool' && keep !== 'full' && !payload.parts.some(isTold)) return
    if (!fresh(each.id, each.index)) return
    if (each.id !== undefined && payload.role !== 'tool') branch(each.id, each.index, payload)
    if (payload.role === 'assistant') replies.reply(each, payload)
    else if (payload.role === 'tool')
      for (const part of payload.parts) {
        if (part.type === 'tool-result') replies.result(each, part)
        else if (part.type === 'opaque') replies.opaque(each, part.name)
      }
    else prompt(each, payload)
  }

  /** One event. Returns nothing: faults of the data are told in the accounting. */
  function event(each: SessionEvent): void {
    const { payload } = each
    if (settled) promptsBefore(each.origin.line, each.order)
    time(each.at)
    // Prompts are read in every way of reading, so they decide where a session ran.
    const isPrompt = payload.type === 'message' && payload.role === 'user'
    if (cwds.size === 0 || isPrompt) place(each.cwd, each.sessionId)
    if (isPrompt) workedWith(each)
    switch (payload.type) {
      case 'message':
        message(each, payload)
        return
      case 'queue':
        prompts.queue({
          ...each,
          payload: { ...payload, text: payload.text === undefined ? undefined : clean(payload.text) },
        })
        return
      case 'marker':
        if (each.id !== undefined && each.parentId !== undefined) branches.join(each.id, each.parentId)
        if (fresh(each.id, each.index)) marker(each, payload)
        return
      case 'title':
        titles.add({ ...payload, title: clean(payload.title) })
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
      case 'stated-costs':
        for (const { model, dollars } of payload.costs)
          replies.usages.state(each.sessionId ?? artifact.sessionId, dollars, lastActivityMs, model)
        return
      case 'skipped':
      case 'unknown':
        return
    }
  }

  /** The index row, and who said what, as far as the file was read. */
  function settle(): { session: Session; settlement: Settlement; only?: string } {
    const { prompts: spoken, kind, only } = prompts.settle((said) => aside.settle(said, next))
    const said = spoken.filter((each) => each.speaker === 'human')
    const humanTexts = said.flatMap((each) => (each.text === undefined ? [] : [quote(each.text)]))
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
      agentMessages: replies.size(),
      toolCalls: counts.toolCalls,
      errors: counts.errors,
      possibleErrors: counts.possibleErrors,
      title: titles.best(humanTexts[0], stands) ?? (firstProgram && quote(firstProgram)),
      firstHuman: humanTexts[0],
      lastHuman: humanTexts.slice(-3),
      opening:
        artifact.slug === undefined && humanTexts.length > 1 ? humanTexts.slice(0, OPENING) : undefined,
      firstProgram: firstProgram && quote(firstProgram),
      accounting: plainAccounting(accounting),
      cwds: ownFirst(ranked(cwds), artifact.slug),
      touched: ranked(replies.touched),
      origins: [...origins],
      slug: artifact.slug,
      sessionKey: artifact.sessionKey,
      entry: artifact.entry && cleanEntry(artifact.entry, clean),
      parentSessionId: parentSessionId ?? (artifact.kindHint === 'subagent' ? [...otherIds][0] : undefined),
      parentCallId: artifact.parentCallId,
      fork: artifact.fork,
      subagent: artifact.subagent,
      otherIds: [...otherIds],
      model: counts.model,
      version,
      ...(gitBranches.size > 0 ? { branches: [...gitBranches] } : {}),
      usage: replies.usages.total(),
      ...sentTo(spoken),
      ...(only !== undefined && artifact.links?.script ? { script: artifact.links.script } : {}),
    }
    return { session, settlement: createSettlement(spoken, branches, replies), only }
  }

  return {
    accounting,
    event,
    /** A non-empty line went by. */
    line(origin: Origin): void {
      lines++
      current = origin
      next = { line: origin.line + 1, offset: origin.offset + origin.length + 1, length: 0 }
    },
    link: branches.link,
    /** Whether it is known where the session ran; the fast path need not look again. */
    placed: (): boolean => cwds.size > 0,
    place,
    /** Usage by reply, as it stands. */
    usages: replies.usages,
    /** A line that the fast path put in its bucket. */
    glanced(at: number | undefined, id: IdHash, stated: number): void {
      time(at)
      if (stated > 0 && (id.low === 0 || seen.add(id))) counts.errors += stated
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
      replies.glanced(id, messageId, reply)
      return true
    },
    glancedCall: replies.glancedCall,
    settle,
    /** What calls gave to other agents since the last time this was asked for. */
    drainSent: (): Dispatch[] => sent.splice(0),
    /** The end of a file that was read at once: everything it tells, in order. */
    finish(): { session: Session; items: Item[]; settlement: Settlement } {
      const { session, settlement } = settle()
      if (keepItems) {
        append(items, settlement.told())
        for (const item of items) finishItem(item, settlement, clean)
        items.sort(inFileOrder)
      }
      return { session, items, settlement }
    },
    /** Second pass: the items of the lines so far. The last words or marker are held back, for more may be joined. */
    take(line: number): Item[] {
      promptsBefore(line, Number.POSITIVE_INFINITY)
      const last = items.at(-1)
      const held =
        (last?.who === 'agent' || last?.who === 'marker') && line !== Number.POSITIVE_INFINITY
          ? items.pop()
          : undefined
      const taken = items.splice(0)
      if (held) items.push(held)
      for (const item of taken) finishItem(item, settled!, clean)
      return taken
    },
    /**
     * What was told since the last call, prompts aside: they are settled anew each time. Words told before come again when
     * more was joined to them, at the same place.
     */
    drain(): Item[] {
      const drained = items
      items = []
      weight = 0
      handedOn = latest
      return drained
    },
    /** Bytes it takes to hold what was told since then, about. */
    weight: (): number => weight,
    /** What another fold needs to go on from here. Good until the next event. */
    save: (): FoldState => ({
      accounting: plainAccounting(accounting),
      prompts: prompts.state,
      branches: branches.save(),
      titles: titles.state,
      replies: replies.save(),
      seen: seen.entries(),
      cwds,
      otherIds,
      origins,
      lines,
      startedMs,
      lastActivityMs,
      parentSessionId,
      latest,
      version,
      gitBranches,
      sideQuestions: aside.state,
      next,
    }),
  }
}

export type Fold = ReturnType<typeof createFold>

/** Markers with a summary below them. */
const SUMMARIES: ReadonlySet<string> = new Set(['compaction', 'branch'])

const sizeOf = (text: string): string =>
  `a summary of ${text.length.toLocaleString('en-US')} character${text.length === 1 ? '' : 's'}`

/** Labels of words that begin no turn: they were said in the middle of one. */
const beside = new Set(['answer', 'for the summary'])

const isTold = (part: Message['parts'][number]): boolean =>
  part.type === 'opaque' ||
  (part.type === 'tool-result' && (part.error !== undefined || part.denied === true))

/** More prompts than these are not told one by one. */
const MOST_SENT = 50

function sentTo(prompts: readonly Prompt[]): Pick<Session, 'promptedBy'> {
  const sent = prompts.flatMap(({ by, event }) => (by ? [{ line: event.origin.line, by }] : []))
  return sent.length > 0 ? { promptedBy: sent.slice(0, MOST_SENT) } : {}
}

/** So many of the first human messages may name the project. */
const OPENING = 5

const quote = (text: string): string => (text.length > QUOTE_LIMIT ? `${text.slice(0, QUOTE_LIMIT)}…` : text)

const ranked = (counts: Map<string, number>): [string, number][] => [...counts].sort((a, b) => b[1] - a[1])

/** The directory that the transcript's folder is named after, before those that it was left for. */
function ownFirst(cwds: [string, number][], slug: string | undefined): [string, number][] {
  const at = slug === undefined ? -1 : cwds.findIndex(([path]) => slugMatches(slug, path))
  return at <= 0 ? cwds : [cwds[at]!, ...cwds.slice(0, at), ...cwds.slice(at + 1)]
}

/** The title of a file beside the transcript, or of an index, is a text like any other. */
const withCleanHint = (artifact: Artifact, clean: (text: string) => string): Artifact =>
  artifact.titleHint === undefined ? artifact : { ...artifact, titleHint: clean(artifact.titleHint) }
