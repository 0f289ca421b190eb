import { existsSync } from 'node:fs'
import { createExcerpt, fitBudget, isExcerpt, type Omitted } from '../condense/condense.ts'
import { estimateTokens } from '../condense/tokens.ts'
import type { Context, ReadingContext } from '../context/context.ts'
import { faultOf, threadsFor, workerUrl } from '../context/read-files.ts'
import { keepHeapSmall } from '../io/process.ts'
import { append } from '../model/iteration.ts'
import type { Item, Session } from '../model/session.ts'
import { projectNameOf } from '../project/group.ts'
import type { GatedText } from '../render/gate.ts'
import { counted } from '../render/table.ts'
import { finishSession, itemsRenderer, renderHeader } from '../render/text.ts'
import { inOrder } from '../sync/pool.ts'
import { createDetails } from '../sync/read/read-detail.ts'
import { readSlices } from '../sync/read/read-session.ts'
import {
  cleaner,
  createChoice,
  createStoredSlices,
  foldedFor,
  gatedText,
  isOutside,
  needsOf,
  type ReadResult,
  type ReadSettings,
  type ReadTask,
  readerFor,
  readOne,
  write,
} from './read-messages.ts'
import { createRepeats, isAbove, keysOf, openingOf, repetition } from './repeats.ts'

/** A part of the answer, created lazily, because the whole may be larger than memory. */
export interface Piece {
  session: Session
  project?: string
  /** The text. A session may consist of several pieces. */
  text: string | GatedText
  last: boolean
}

/** What an answer leaves out, counted while it is created. */
export interface LeftOut extends Omitted {
  /** Items that are already in another session. */
  repeated: number
  /** Transcripts of subagents that were not requested. */
  subagents: number
}

/**
 * The default way: reads each session from the store, or from its file on a free thread, and writes them in
 * order.
 */
export function* streamedPieces(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  omitted: LeftOut,
  context: Context,
): Generator<Piece> {
  const stored = readerFor(context)
  const small = tasks.filter(({ artifact }) => !stored.has(artifact.path) && artifact.bytes <= LARGE)
  const threads = threadsFor(
    small.map(({ artifact }) => artifact),
    context.threads,
  )
  // Of many files, most is garbage as soon as it is read.
  if (threads > 1) keepHeapSmall()
  const repeats = createRepeats<ReadTask>((task) =>
    keysOf(stored(task, { redact: settings.redact, usage: false }).items, task.artifact.sessionId),
  )
  const results = inOrder<ReadTask, ReadResult>({
    tasks: small,
    run: (task) => readOne(task, settings),
    threads,
    worker: threads > 1 ? workerUrl() : undefined,
    settings: { job: 'read', settings },
  })
  // On a terminal the answer itself shows the progress.
  const progress = settings.style.columns === undefined ? context.progress : undefined
  progress?.start(
    'Reading',
    tasks.reduce((sum, { artifact }) => sum + artifact.bytes, 0),
  )
  for (const task of tasks) {
    const { path, bytes } = task.artifact
    progress?.advance(bytes)
    if (!stored.has(path) && bytes > LARGE) {
      yield* slicedPieces(task, settings, context, { full: false })
      continue
    }
    const pages = settings.several ? undefined : stored.pages(path)
    if (pages) {
      if (noteMissingLine(task, stored.session(path)!, context)) continue
      const slices = isText(settings) ? betweenPrompts(pages) : pages
      yield* slicedPieces(task, settings, context, { full: false, slices })
      continue
    }
    const first = stored.has(path)
      ? readOne(task, settings, undefined, stored)
      : (results.next().value as ReadResult)
    // A session with the same opening as an earlier one is rendered again without the shared items.
    const above = 'opening' in first ? repeats.above(first.opening) : undefined
    const result = above ? readOne(task, settings, above, stored) : first
    if ('fault' in result) {
      context.note(`${result.path} ${result.fault}`, 'partly')
      continue
    }
    if (isOutside(result.session, settings)) continue
    if (noteMissingLine(task, result.session, context)) continue
    // If a part is requested, sessions without it are left out.
    if (result.items === 0 && (settings.skipEmpty || isExcerpt({ ...settings.excerpt, line: task.line })))
      continue
    repeats.add(task, result.opening)
    omitted.repeated += result.repeated
    // In text, a copy without items of its own gets no heading. JSON lists it.
    if (isText(settings) && result.repeated > 0 && result.items === 1) continue
    const { session, project } = result
    yield { session, project, text: gatedText(result, settings), last: true }
  }
  progress?.stop()
  results.return(undefined)
}

/** Reports the line that was asked for, if the session has none of this number. */
function noteMissingLine({ line }: ReadTask, session: Session, context: Context): boolean {
  if (line === undefined || (line >= 1 ? line <= session.lines : session.cut)) return false
  context.note(
    line < 1
      ? 'Lines count from 1. Only what a client has cut off its file has lines below.'
      : `Line ${line} is after the end of the session, which has ${counted(session.lines, 'line')}.`,
  )
  return true
}

/** Pages that end before a prompt, where there is one, so that what is folded to one line is in one page. */
function* betweenPrompts(
  pages: Iterable<{ session: Session; items: Item[] }>,
): Generator<{ session: Session; items: Item[] }> {
  let held: Item[] = []
  let of: Session | undefined
  for (const { session, items } of pages) {
    of = session
    append(held, items)
    const end = held.findLastIndex(({ who }) => who === 'human')
    if (end <= 0) continue
    yield { session, items: held.slice(0, end) }
    held = held.slice(end)
  }
  if (of) yield { session: of, items: held }
}

/** With a budget, all items must be known before any can be left out. */
export function* fittedPieces(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  tokens: number,
  omitted: LeftOut,
  context: Context,
): Generator<Piece> {
  const transcripts: { path: string; items: Item[]; heading: number; session: Session; project?: string }[] =
    []
  const shared = createShared(settings, context, false)
  let repeated = 0
  for (const task of tasks) {
    const read = itemsOf(task, settings, context)
    if (!read || isOutside(read.session, settings)) continue
    const { session } = read
    const common = shared(task, read)
    repeated += common?.count ?? 0
    if (common?.isWhole && isText(settings)) continue
    const project = task.project ?? projectNameOf(session)
    transcripts.push({
      path: task.artifact.path,
      project,
      heading:
        tasks.length > 1
          ? estimateTokens(renderHeader(session, project, { ...settings.style, color: false }))
          : 0,
      session,
      items: common ? withoutCommon(read.items, session, common) : read.items,
    })
  }
  Object.assign(omitted, fitBudget(transcripts, tokens), { repeated })
  for (const { session, items, project } of transcripts) {
    if (items.length === 0 && transcripts.length > 1) continue
    const shown = foldedFor(items, settings)
    const finished = finishSession(session, settings.identities)
    yield {
      session: finished,
      project,
      text: write(finished, shown, project, settings),
      last: true,
    }
  }
}

/** With all details, which are read from the files while they are written. */
export function* inSlices(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  omitted: LeftOut,
  context: Context,
): Generator<Piece> {
  const storedSlices = createStoredSlices(context)
  const stored = readerFor(context)
  const shared = createShared(settings, context, true)
  for (const task of tasks) {
    const slices = storedSlices(task.artifact, true)
    const how = slices ? { full: false, slices } : { full: true, cut: stored.cut(task) }
    const common = shared(task)
    omitted.repeated += common?.count ?? 0
    yield* slicedPieces(task, settings, context, { ...how, common })
  }
}

const isText = ({ format }: Pick<ReadSettings, 'format'>): boolean => format === 'text' || format === 'md'

/** What a session has in common with those above it. */
export interface Common {
  /** The keys of their items. */
  above: ReadonlySet<number>
  /** How many items of the session are among them. At least one. */
  count: number
  /** Whether all of its items are. */
  isWhole: boolean
}

/**
 * Returns a function that is called for each session in the order of the answer, and returns what earlier
 * ones contain of it. Undefined if nothing. `full`: with the items that only files have.
 */
export function createShared(
  settings: ReadSettings,
  context: ReadingContext,
  full: boolean,
): (task: ReadTask, known?: ReturnType<typeof itemsOf>) => Common | undefined {
  const read = readerFor(context)
  const repeats = createRepeats<ReadTask>(function* ({ artifact }) {
    const { sessionId } = artifact
    if (full && existsSync(artifact.database ?? artifact.path))
      for (const { items } of readSlices(artifact, { keep: 'full', redact: settings.redact }))
        yield* keysOf(items, sessionId)
    yield* keysOf(read({ artifact }, { redact: settings.redact, usage: false }).items, sessionId)
  })
  return (task, known) => {
    const found = settings.several ? (known ?? itemsOf(task, settings, context)) : undefined
    if (!found) return undefined
    const { session, items } = found
    const opening = openingOf(items, session)
    const above = repeats.above(opening)
    repeats.add(task, opening)
    const count = above ? items.filter((item) => isAbove(item, session, above)).length : 0
    return above && count > 0 ? { above, count, isWhole: count === items.length } : undefined
  }
}

/** The items that are in no session above, after a note about the others. */
export function withoutCommon(items: readonly Item[], session: Session, { above, count }: Common): Item[] {
  return [repetition(count), ...items.filter((item) => !isAbove(item, session, above))]
}

/** The items of a transcript in the requested span, from the store or from its file. */
export function itemsOf(
  task: ReadTask,
  settings: ReadSettings,
  context: ReadingContext,
): { session: Session; items: Item[] } | undefined {
  const read = readerFor(context)
  try {
    const { session, items } = read(task, needsOf(settings))
    const excerpt = createExcerpt({ ...settings.excerpt, line: task.line })
    const wanted = [...excerpt.take(createChoice(settings)(items)), ...excerpt.end()]
    return { session, items: wanted }
  } catch (error) {
    context.note(`${task.artifact.path} ${faultOf(error)}`, 'partly')
    return undefined
  }
}

/** Larger transcripts, and details of any, are rendered in slices, so that they need not fit into memory. */
export const LARGE = 48 * 1024 * 1024
/** How many details are read from the file before they are written and released. */
const DETAILS = 100

/** What is inserted into a transcript: after a call, after a line, or by the time it began. */
export interface Inlined {
  callId?: string
  line?: number
  atMs?: number
  pieces(): Generator<Piece>
}

interface Slicing {
  /** With all details, read from the file while they are written. */
  full: boolean
  /** The items, if they are not to be read from the file. */
  slices?: Iterable<{ session: Session; items: Item[] }>
  /** What the client has cut off the file. It precedes the file's content. */
  cut?: { session: Session; items: Item[] }
  /** Without the header of the session. */
  headless?: boolean
  /** What is left out, because it is in a session above. */
  common?: Common | undefined
  /** Whether the items of a line are shown. By default those of all lines. */
  shows?: (line: number) => boolean
  inlined?: readonly Inlined[]
}

export function* slicedPieces(
  { artifact, project: given, line }: ReadTask,
  settings: ReadSettings,
  context: ReadingContext,
  { full, slices, cut, headless, common, shows = () => true, inlined = [] }: Slicing,
): Generator<Piece> {
  const replies = new Set<number>()
  let project = given
  let begun: Session | undefined
  /** The text of what follows each other. Behind an insertion, the speaker is named again. */
  let textOf: ReturnType<typeof itemsRenderer> | undefined
  let isEmpty = true
  let latest: Session | undefined
  const details = createDetails(artifact)
  const clean = cleaner(settings.redact)
  const detailOf = (item: Item): string | undefined => {
    const detail = details.of(item)
    return detail === undefined ? undefined : clean(detail)
  }
  const pending = pendingOf(inlined.filter((each) => (each.line ?? line ?? 0) >= (line ?? 0)))
  const part = { ...settings.excerpt, line }
  const excerpt = createExcerpt(part)
  const choose = createChoice(settings)
  // In text, a copy without items of its own gets no heading. JSON lists it.
  if (common?.isWhole && isText(settings)) return
  let isNoted = false
  const ownOf = (items: readonly Item[], session: Session): readonly Item[] => {
    if (!common) return items
    const own = items.filter((item) => !isAbove(item, session, common.above))
    if (!isNoted) own.unshift(repetition(common.count))
    isNoted = true
    return own
  }
  if (artifact.bytes > LARGE) keepHeapSmall()
  try {
    const read =
      slices ?? readSlices(artifact, { keep: full ? 'full' : 'condensed', redact: settings.redact })
    for (const { session: whole, items } of cut ? after(cut, read) : read) {
      if (isOutside(whole, settings)) break
      const wanted = excerpt.take(choose(items.filter((each) => shows(each.line))))
      latest = whole
      // If a part is requested, sessions without it are left out.
      if ((isExcerpt(part) || settings.skipEmpty) && wanted.length === 0) continue
      yield* begin(whole)
      yield* withInsertions(ownOf(wanted, whole))
    }
    const rest = excerpt.end()
    if (rest.length > 0 && latest) {
      yield* begin(latest)
      yield* withInsertions(ownOf(rest, latest))
    }
    if (begun && isEmpty && !full && !headless && isText(settings) && inlined.length === 0)
      yield { session: begun, project, text: '  (no messages)\n', last: false }
    if (begun) for (const each of remaining(pending)) yield* each.pieces()
  } catch (error) {
    context.note(`${artifact.path} ${faultOf(error)}`, 'partly')
  } finally {
    details.close()
  }
  if (begun) yield { session: begun, project, text: '', last: true }

  function* begin(whole: Session): Generator<Piece> {
    const session = finishSession(whole, settings.identities)
    project ??= projectNameOf(whole)
    if (!begun && !headless && settings.format === 'html')
      yield { session, project, text: settings.html!.header(session, project), last: false }
    if (!begun && !headless && isText(settings))
      yield { session, project, text: renderHeader(session, project, settings.style), last: false }
    begun = session
  }

  function* withInsertions(wanted: readonly Item[]): Generator<Piece> {
    for (const part of interleaved(wanted, pending))
      if (Array.isArray(part)) yield* itemPieces(part, begun!, project)
      else {
        yield* part.pieces()
        textOf = undefined
      }
  }

  function* itemPieces(wanted: Item[], session: Session, project: string | undefined): Generator<Piece> {
    const shown = full ? wanted : foldedFor(wanted, settings)
    for (let at = 0; at < shown.length; at += DETAILS) {
      const some = shown.slice(at, at + DETAILS)
      if (full) for (const each of some) if (!each.cut) each.detail = detailOf(each)
      const part = some.filter(
        (each) => each.who !== 'agent' || each.text !== undefined || each.detail !== undefined,
      )
      if (isText(settings)) textOf ??= itemsRenderer(session, settings.style)
      const text = textOf?.(part) ?? write(session, part, project, { ...settings, headless: true }, replies)
      if (text !== '') yield { session, project, text, last: false }
      isEmpty &&= text === ''
      for (const each of some) each.detail = undefined
    }
  }
}

function* after<Slice>(first: Slice, rest: Iterable<Slice>): Generator<Slice> {
  yield first
  yield* rest
}

/** What is to be inserted, by where. Each insertion is taken once. */
interface Pending {
  byCall: Map<string, Inlined[]>
  /** In the order of their lines, and of their times. The next ones are last. */
  byLine: Inlined[]
  byTime: Inlined[]
  taken: Set<Inlined>
}

function pendingOf(inlined: readonly Inlined[]): Pending {
  const byCall = new Map<string, Inlined[]>()
  for (const each of inlined) {
    if (each.callId === undefined) continue
    const own = byCall.get(each.callId)
    if (own) own.push(each)
    else byCall.set(each.callId, [each])
  }
  return {
    byCall,
    byLine: inlined.filter(({ line }) => line !== undefined).toSorted((a, b) => b.line! - a.line!),
    byTime: inlined
      .filter(({ line }) => line === undefined)
      .toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0)),
    taken: new Set(),
  }
}

/** Takes the insertions from the end of a list, as long as they are due. */
function due(list: Inlined[], taken: Set<Inlined>, isDue: (each: Inlined) => boolean): Inlined[] {
  const found: Inlined[] = []
  for (let next = list.at(-1); next !== undefined && (taken.has(next) || isDue(next)); next = list.at(-1)) {
    list.pop()
    if (!taken.has(next)) found.push(next)
    taken.add(next)
  }
  return found
}

/** The items in order with their insertions. */
function* interleaved(items: readonly Item[], pending: Pending): Generator<Item[] | Inlined> {
  const { byCall, byLine, byTime, taken } = pending
  if (byLine.length + byTime.length === 0) return yield [...items]
  let some: Item[] = []
  function* insert(found: Inlined[]): Generator<Item[] | Inlined> {
    if (found.length === 0) return
    yield some
    some = []
    yield* found
  }
  for (const item of items) {
    const { line: at, at: time } = item
    yield* insert([
      ...due(byLine, taken, ({ line }) => line! < at),
      ...(time === undefined ? [] : due(byTime, taken, ({ atMs = 0 }) => atMs < time)),
    ])
    some.push(item)
    const isCall = item.who === 'tool' && item.label !== 'output' && item.callId !== undefined
    const own = isCall ? (byCall.get(item.callId!) ?? []).filter((each) => !taken.has(each)) : []
    for (const each of own) taken.add(each)
    yield* insert(own)
  }
  yield some
}

/** The insertions that no item precedes, in order. */
const remaining = ({ byLine, byTime, taken }: Pending): Inlined[] =>
  [...byLine.toReversed(), ...byTime.toReversed()].filter((each) => !taken.has(each))
