import { createDetails } from '../../collect/read/read-detail.ts'
import { readSlices } from '../../collect/read/read-session.ts'
import { createExcerpt, isExcerpt } from '../../condense/excerpt.ts'
import { foldTools } from '../../condense/fold-tools.ts'
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
  const pending = inlined.filter((each) => (each.line ?? line ?? 0) >= (line ?? 0))
  const part = { ...settings.excerpt, line }
  const excerpt = createExcerpt(part)
  if (artifact.bytes > LARGE) keepHeapSmall()
  try {
    const read = slices ?? readSlices(artifact, { purpose: 'read', full, redact: settings.redact })
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
    if (begun) for (const each of pending) yield* each.pieces()
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

/** The items in order with their insertions. Removes inserted ones from `pending`. */
function* interleaved(items: readonly Item[], pending: Inlined[]): Generator<Item[] | Inlined> {
  if (pending.length === 0) return yield [...items]
  let some: Item[] = []
  const take = (due: (each: Inlined) => boolean): Inlined[] => {
    const found = pending.filter(due)
    for (const each of found) pending.splice(pending.indexOf(each), 1)
    return found
  }
  function* tell(found: Inlined[]): Generator<Item[] | Inlined> {
    if (found.length === 0) return
    yield some
    some = []
    yield* found
  }
  for (const item of items) {
    const { line: at, at: time } = item
    yield* tell(
      take((each) =>
        each.line === undefined ? time !== undefined && (each.atMs ?? 0) < time : each.line < at,
      ),
    )
    some.push(item)
    const isCall = item.who === 'tool' && item.label !== 'output' && item.callId !== undefined
    if (isCall) yield* tell(take((each) => each.callId === item.callId))
  }
  yield some
}
