import { createDetails } from '../../collect/read/read-detail.ts'
import { readSlices } from '../../collect/read/read-session.ts'
import { createExcerpt, foldTools, isExcerpt } from '../../condense/condense.ts'
import { keepHeapSmall } from '../../io/process/heap.ts'
import type { Item, Session } from '../../model/session.ts'
import { projectNameOf } from '../../project/group.ts'
import { renderHeader } from '../../render/text.ts'
import type { ReadingContext } from '../kit/context.ts'
import { faultOf } from '../kit/index-job.ts'
import { cleaner, finishSession, inSpan, isOutside, type ReadSettings, type ReadTask, write } from './job.ts'
import type { Piece } from './piece.ts'

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

export interface Slicing {
  /** With all details, read from the file while they are written. */
  full: boolean
  /** The items, if they are not to be read from the file. */
  slices?: Iterable<{ session: Session; items: Item[] }>
  /** What the client has cut off the file. It precedes the file's content. */
  cut?: { session: Session; items: Item[] }
  /** Without the header of the session. */
  headless?: boolean
  inlined?: readonly Inlined[]
}

export function* slicedPieces(
  { artifact, project: given, line }: ReadTask,
  settings: ReadSettings,
  context: ReadingContext,
  { full, slices, cut, headless, inlined = [] }: Slicing,
): Generator<Piece> {
  const replies = new Set<number>()
  let project = given
  let begun: Session | undefined
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
  if (artifact.bytes > LARGE) keepHeapSmall()
  try {
    const read =
      slices ?? readSlices(artifact, { keep: full ? 'full' : 'condensed', redact: settings.redact })
    for (const { session: whole, items } of cut ? after(cut, read) : read) {
      if (isOutside(whole, settings)) break
      const wanted = excerpt.take(items.filter((each) => inSpan(each, settings)))
      latest = whole
      // If a part is requested, sessions without it are left out.
      if ((isExcerpt(part) || settings.skipEmpty) && wanted.length === 0) continue
      yield* begin(whole)
      yield* withInsertions(wanted)
    }
    const rest = excerpt.end()
    if (rest.length > 0 && latest) {
      yield* begin(latest)
      yield* withInsertions(rest)
    }
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
    if (!begun && !headless && (settings.format === 'text' || settings.format === 'md'))
      yield { session, project, text: renderHeader(session, project, settings.style), last: false }
    begun = session
  }

  function* withInsertions(wanted: readonly Item[]): Generator<Piece> {
    for (const part of interleaved(wanted, pending))
      if (Array.isArray(part)) yield* itemPieces(part, begun!, project)
      else yield* part.pieces()
  }

  function* itemPieces(wanted: Item[], session: Session, project: string | undefined): Generator<Piece> {
    const shown = settings.fold && !full ? foldTools(wanted) : wanted
    for (let at = 0; at < shown.length; at += DETAILS) {
      const some = shown.slice(at, at + DETAILS)
      if (full) for (const each of some) if (!each.cut) each.detail = detailOf(each)
      const part = some.filter(
        (each) => each.who !== 'agent' || each.text !== undefined || each.detail !== undefined,
      )
      const text = write(session, part, project, { ...settings, headless: true }, replies)
      if (text !== '') yield { session, project, text, last: false }
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
