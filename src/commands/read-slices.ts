import { withLinks } from '../collect/link-sessions.ts'
import { createDetails } from '../collect/read-detail.ts'
import { readSlices } from '../collect/read-session.ts'
import { createExcerpt, isExcerpt } from '../condense/excerpt.ts'
import { foldTools } from '../condense/fold-tools.ts'
import { renderHeader } from '../condense/render-text.ts'
import { keepHeapSmall } from '../io/heap.ts'
import type { Item, Session } from '../model/session.ts'
import { projectNameOf } from '../project/group.ts'
import type { Context } from './command.ts'
import { faultOf } from './index-job.ts'
import {
  cleaner,
  finishSession,
  inSpan,
  isOutside,
  type ReadSettings,
  type ReadTask,
  write,
} from './read-job.ts'
import type { Piece } from './read-pieces.ts'

/** Larger transcripts, and details of any, are laid out a slice at a time: they need not fit into memory. */
export const LARGE = 48 * 1024 * 1024
/** So many details are read from the file before they are written and forgotten. */
const DETAILS = 100

/** What is told in the midst of a transcript: behind a call, behind a line, or when it began. */
export interface Inlined {
  callId?: string
  line?: number
  atMs?: number
  pieces(): Generator<Piece>
}

export interface Slicing {
  /** With details of everything, read from the file as they are written. */
  full: boolean
  /** Where items are not to be read from the file. */
  slices?: Iterable<{ session: Session; items: Item[] }>
  /** Without what stands above a session. */
  headless?: boolean
  inlined?: readonly Inlined[]
}

export function* slicedPieces(
  { artifact: found, project: given, line }: ReadTask,
  settings: ReadSettings,
  context: Context,
  { full, slices, headless, inlined = [] }: Slicing,
): Generator<Piece> {
  const replies = new Set<number>()
  let project = given
  let begun: Session | undefined
  let latest: Session | undefined
  const artifact = withLinks(found, context.fresh?.store.known().get(found.path)?.artifact.links)
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
    for (const { session: whole, items } of read) {
      if (isOutside(whole, settings)) break
      const wanted = excerpt.take(items.filter((each) => inSpan(each, settings)))
      latest = whole
      // Where a part is asked for, a session without it is no answer.
      if ((isExcerpt(part) || settings.skipEmpty) && wanted.length === 0) continue
      yield* begin(whole)
      yield* toldAmong(wanted)
    }
    const rest = excerpt.end()
    if (rest.length > 0 && latest) {
      yield* begin(latest)
      yield* toldAmong(rest)
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

  function* toldAmong(wanted: readonly Item[]): Generator<Piece> {
    for (const told of interleaved(wanted, pending))
      if (Array.isArray(told)) yield* toldPieces(told, begun!, project)
      else yield* told.pieces()
  }

  function* toldPieces(wanted: Item[], session: Session, project: string | undefined): Generator<Piece> {
    const shown = settings.fold && !full ? foldTools(wanted) : wanted
    for (let at = 0; at < shown.length; at += DETAILS) {
      const some = shown.slice(at, at + DETAILS)
      if (full) for (const each of some) each.detail = detailOf(each)
      const told = some.filter(
        (each) => each.who !== 'agent' || each.text !== undefined || each.detail !== undefined,
      )
      const text = write(session, told, project, { ...settings, headless: true }, replies)
      if (text !== '') yield { session, project, text, last: false }
      for (const each of some) each.detail = undefined
    }
  }
}

/** Items in order, with what is told among them where it belongs; takes from `pending` what was come to. */
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
