import { inOrder } from '../collect/pool.ts'
import { fitBudget, type Omitted } from '../condense/budget.ts'
import { createExcerpt, isExcerpt } from '../condense/excerpt.ts'
import { foldTools } from '../condense/fold-tools.ts'
import type { Item, Session } from '../model/session.ts'
import { projectNameOf } from '../project/group.ts'
import type { Context } from './command.ts'
import { faultOf } from './index-job.ts'
import {
  finishSession,
  inSpan,
  isOutside,
  keysOf,
  type ReadPiece,
  type ReadResult,
  type ReadSettings,
  type ReadTask,
  readFromFile,
  readOne,
  write,
} from './read-job.ts'
import { LARGE, slicedPieces } from './read-slices.ts'
import { createKept, createStoreReader } from './store-reader.ts'
import { threadsFor, workerUrl } from './threads.ts'

/** What an answer does not hold, counted while it is made. */
export interface LeftOut extends Omitted {
  /** Entries that another session told already. */
  repeated: number
  /** Transcripts of subagents that were not asked for. */
  subagents: number
}

/** A part of the answer, made while it is written out: the whole may be larger than memory. */
export interface Piece {
  session: Session
  project?: string
  /** What is written; a session may come in several pieces. */
  text: string | Uint8Array
  last: boolean
}

/** The usual way: each session out of the store, or from its file on whichever thread is free, written out in order. */
export function* streamedPieces(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  omitted: LeftOut,
  context: Context,
): Generator<Piece> {
  const stored = context.fresh && createStoreReader(context.fresh.store)
  const read = stored ?? readFromFile
  const small = tasks.filter(({ artifact }) => !stored?.has(artifact.path) && artifact.bytes <= LARGE)
  const threads = threadsFor(
    small.map(({ artifact }) => artifact),
    context.threads,
  )
  const openings = new Map<number, ReadTask[]>()
  const results = inOrder<ReadTask, ReadResult>({
    tasks: small,
    run: (task) => readOne(task, settings),
    threads,
    worker: threads > 1 ? workerUrl() : undefined,
    settings: { job: 'read', settings },
  })
  // On a terminal the answer itself shows how far it is.
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
    // As text a session is one piece: who speaks is told once.
    const flat = settings.format !== 'text' && settings.format !== 'md'
    const pages = flat && !settings.several ? stored?.pages(path) : undefined
    if (pages) {
      yield* slicedPieces(task, settings, context, { full: false, slices: pages })
      continue
    }
    const first = stored?.has(path)
      ? readOne(task, settings, undefined, read)
      : (results.next().value as ReadResult)
    // A session that opens as one above did is laid out again without what was told.
    const alike =
      'opening' in first ? new Set(first.opening.flatMap((key) => openings.get(key) ?? [])) : undefined
    const told = alike?.size ? new Set([...alike].flatMap((each) => keysOf(each, read))) : undefined
    const result = told ? readOne(task, settings, told, read) : first
    if ('fault' in result) {
      context.note(`${result.path} ${result.fault}`, 'partly')
      continue
    }
    if (isOutside(result.session, settings)) continue
    // Where a part is asked for, a session without it is no answer.
    if (result.items === 0 && (settings.skipEmpty || isExcerpt({ ...settings.excerpt, line: task.line })))
      continue
    for (const key of result.opening) openings.set(key, [...(openings.get(key) ?? []), task])
    omitted.repeated += result.repeated
    // Of a copy that tells nothing more, people need no heading; programs are told that it is there.
    const bare = settings.format === 'text' || settings.format === 'md'
    if (!(bare && result.repeated > 0 && result.items === 1)) yield pieceOf(result)
  }
  progress?.stop()
  results.return(undefined)
}

const pieceOf = ({ session, project, bytes }: ReadPiece): Piece => ({
  session,
  project,
  text: bytes,
  last: true,
})

/** With a budget everything has to be known before anything can be left out. */
export function* fittedPieces(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  tokens: number,
  omitted: LeftOut,
  context: Context,
): Generator<Piece> {
  const told: { path: string; items: Item[]; session: Session; project?: string }[] = []
  for (const task of tasks) {
    const read = itemsOf(task, settings, context)
    if (read && !isOutside(read.session, settings))
      told.push({ path: task.artifact.path, project: task.project ?? projectNameOf(read.session), ...read })
  }
  Object.assign(omitted, fitBudget(told, tokens))
  for (const { session, items, project } of told) {
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

/** With details of everything, which are read from the files as they are written. */
export function* inSlices(
  tasks: readonly ReadTask[],
  settings: ReadSettings,
  context: Context,
): Generator<Piece> {
  const kept = createKept(context)
  for (const task of tasks) {
    const slices = kept(task.artifact, true)
    yield* slicedPieces(task, settings, context, slices ? { full: false, slices } : { full: true })
  }
}

/** All of a transcript that falls into the span, out of the store or from its file. */
export function itemsOf(
  task: ReadTask,
  settings: ReadSettings,
  context: Context,
): { session: Session; items: Item[] } | undefined {
  const read = context.fresh ? createStoreReader(context.fresh.store) : readFromFile
  try {
    const { session, items } = read(task, settings.redact)
    const excerpt = createExcerpt({ ...settings.excerpt, line: task.line })
    const wanted = [...excerpt.take(items.filter((each) => inSpan(each, settings))), ...excerpt.end()]
    return { session, items: wanted }
  } catch (error) {
    context.note(`${task.artifact.path} ${faultOf(error)}`, 'partly')
    return undefined
  }
}
