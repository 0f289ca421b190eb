import { inOrder } from '../../collect/pool.ts'
import { createExcerpt, fitBudget, foldTools, isExcerpt, type Omitted } from '../../condense/condense.ts'
import { keepHeapSmall } from '../../io/process/heap.ts'
import type { Item, Session } from '../../model/session.ts'
import { projectNameOf } from '../../project/group.ts'
import type { Context } from '../kit/command.ts'
import { faultOf } from '../kit/index-job.ts'
import { threadsFor, workerUrl } from '../kit/threads.ts'
import {
  finishSession,
  gatedText,
  inSpan,
  isOutside,
  keysOf,
  needsOf,
  type ReadResult,
  type ReadSettings,
  type ReadTask,
  readFromFile,
  readOne,
  write,
} from './job.ts'
import type { Piece } from './piece.ts'
import { LARGE, slicedPieces } from './slices.ts'
import { createStoredSlices, storeReader } from './store-reader.ts'

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
  const stored = context.fresh && storeReader(context.fresh.store)
  const read = stored ?? readFromFile
  const small = tasks.filter(({ artifact }) => !stored?.has(artifact.path) && artifact.bytes <= LARGE)
  const threads = threadsFor(
    small.map(({ artifact }) => artifact),
    context.threads,
  )
  // Of many files, most is garbage as soon as it is read.
  if (threads > 1) keepHeapSmall()
  const openings = new Map<number, ReadTask[]>()
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
    if (!stored?.has(path) && bytes > LARGE) {
      yield* slicedPieces(task, settings, context, { full: false })
      continue
    }
    // As text, a session is one piece, because consecutive items of a speaker share a heading.
    const flat = settings.format !== 'text' && settings.format !== 'md'
    const pages = flat && !settings.several ? stored?.pages(path) : undefined
    if (pages) {
      yield* slicedPieces(task, settings, context, { full: false, slices: pages })
      continue
    }
    const first = stored?.has(path)
      ? readOne(task, settings, undefined, read)
      : (results.next().value as ReadResult)
    // A session with the same opening as an earlier one is rendered again without the shared items.
    const alike =
      'opening' in first ? new Set(first.opening.flatMap((key) => openings.get(key) ?? [])) : undefined
    const above = alike?.size ? new Set([...alike].flatMap((each) => keysOf(each, read))) : undefined
    const result = above ? readOne(task, settings, above, read) : first
    if ('fault' in result) {
      context.note(`${result.path} ${result.fault}`, 'partly')
      continue
    }
    if (isOutside(result.session, settings)) continue
    // If a part is requested, sessions without it are left out.
    if (result.items === 0 && (settings.skipEmpty || isExcerpt({ ...settings.excerpt, line: task.line })))
      continue
    for (const key of result.opening) openings.set(key, [...(openings.get(key) ?? []), task])
    omitted.repeated += result.repeated
    // In text, a copy without items of its own gets no heading. JSON lists it.
    const bare = settings.format === 'text' || settings.format === 'md'
    if (bare && result.repeated > 0 && result.items === 1) continue
    const { session, project } = result
    yield { session, project, text: gatedText(result, settings), last: true }
  }
  progress?.stop()
  results.return(undefined)
}

/** With a budget, all items must be known before any can be left out. */
export function* fittedPieces(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  tokens: number,
  omitted: LeftOut,
  context: Context,
): Generator<Piece> {
  const transcripts: { path: string; items: Item[]; session: Session; project?: string }[] = []
  for (const task of tasks) {
    const read = itemsOf(task, settings, context)
    if (read && !isOutside(read.session, settings))
      transcripts.push({
        path: task.artifact.path,
        project: task.project ?? projectNameOf(read.session),
        ...read,
      })
  }
  Object.assign(omitted, fitBudget(transcripts, tokens))
  for (const { session, items, project } of transcripts) {
    const shown = settings.fold ? foldTools(items) : items
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
  context: Context,
): Generator<Piece> {
  const storedSlices = createStoredSlices(context)
  const stored = context.fresh && storeReader(context.fresh.store)
  for (const task of tasks) {
    const slices = storedSlices(task.artifact, true)
    const how = slices ? { full: false, slices } : { full: true, cut: stored?.cut(task) }
    yield* slicedPieces(task, settings, context, how)
  }
}

/** The items of a transcript in the requested span, from the store or from its file. */
export function itemsOf(
  task: ReadTask,
  settings: ReadSettings,
  context: Context,
): { session: Session; items: Item[] } | undefined {
  const read = context.fresh ? storeReader(context.fresh.store) : readFromFile
  try {
    const { session, items } = read(task, needsOf(settings))
    const excerpt = createExcerpt({ ...settings.excerpt, line: task.line })
    const wanted = [...excerpt.take(items.filter((each) => inSpan(each, settings))), ...excerpt.end()]
    return { session, items: wanted }
  } catch (error) {
    context.note(`${task.artifact.path} ${faultOf(error)}`, 'partly')
    return undefined
  }
}
