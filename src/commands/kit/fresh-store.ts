import { rememberPathsOf } from '../../collect/discover.ts'
import { cleanStore } from '../../collect/index/clean-store.ts'
import {
  lookFirst,
  nothingDone,
  type Pending,
  type Refreshed,
  type RefreshOptions,
  refresh,
  refreshInSteps,
  type Seen,
  settle,
  upToDate,
} from '../../collect/index/refresh.ts'
import { look } from '../../collect/index/view.ts'
import { inOrder } from '../../collect/pool.ts'
import { ScrollbackError } from '../../errors.ts'
import { collectGarbage, keepHeapSmall } from '../../io/process/heap.ts'
import type { PlatformId } from '../../model/platform-id.ts'
import { finish, type Steps } from '../../model/steps.ts'
import { assignProjects } from '../../project/assign.ts'
import { counted } from '../../render/counted.ts'
import { readableBytes } from '../../render/table.ts'
import type { StorePart } from '../../store/clickhouse/part.ts'
import { DamagedStore } from '../../store/damaged-store.ts'
import { IN_MEMORY, openSqliteStore } from '../../store/sqlite/open.ts'
import type { MessageRange, Store } from '../../store/store.ts'
import type { ReadingContext } from './context.ts'
import type { FreshStore, Indexing } from './fresh.ts'
import { faultOf } from './index-job.ts'
import { storePreviews } from './preview.ts'
import { threadsFor, workerUrl } from './threads.ts'

/** For commands that would otherwise answer from an empty store while another process fills it. */
export const nothingYet = (): ScrollbackError =>
  new ScrollbackError(
    'nothing-found',
    'Nothing is stored yet, because another process is indexing.',
    'Run the command again when it has finished.',
  )

export interface Freshness {
  only?: PlatformId
  rebuild?: boolean
  /**
   * What is needed. Of `files`, which are only found, reading may be left for later if it would take long; of
   * `sessions`, indexing; of `messages`, that of their words. `available` is everything that does not take
   * long to index. By default, everything is needed.
   */
  needs?: 'files' | 'sessions' | 'messages' | 'available'
  /** The sessions that are enough, if a team store answers. */
  part?: StorePart | undefined
  /** How long to wait for another writer before answering from the store as it is, in ms. */
  patience?: number
}

const MANY_FILES = 5000

/** Other indexers usually finish sooner. */
const PATIENCE_MS = 3000
const LOOK_AGAIN_MS = 50
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Opens the store and brings it up to date. Every command that answers from the store uses this, and the
 * store is closed with the command. Undefined with `--no-redact`, because the store holds no secrets.
 */
export function freshStore(context: ReadingContext, freshness: Freshness = {}): FreshStore | undefined {
  if (context.remote) {
    context.fresh ??= context.remote.open(context, freshness.part)
    return context.fresh
  }
  if (context.storePath === undefined || !context.redact) return undefined
  context.fresh ??= openFresh(context, context.storePath, freshness)
  const { store, found, indexing, busy } = context.fresh
  if (busy || isEnough(store, found, freshness)) return context.fresh
  if (indexing) noteIndexing(indexing, context)
  else if (freshness.needs !== 'available' || !found.pending)
    context.fresh = upToDateNow(store, context, freshness)
  return context.fresh
}

/** Whether everything is indexed that is needed. */
function isEnough(store: Store, { pending }: Refreshed, { needs }: Freshness): boolean {
  if (needs === 'files') return true
  if (needs === 'sessions') return !pending?.unread
  return !pending && (needs === 'messages' || store.readOnly || store.unindexed() === 0)
}

function openFresh(context: ReadingContext, path: string, freshness: Freshness): FreshStore {
  // Before discovering the disk: for 100,000 files that alone creates much short-lived memory.
  keepHeapSmall()
  try {
    const { store, setAside } = openSqliteStore(path, context.now)
    if (setAside !== undefined) noteSetAside(setAside, context)
    store.checkPages(context.now)
    return bringUpToDate(cleanStore(store), context, freshness)
  } catch (error) {
    // During a query it is too late to rebuild the store. The next command does.
    if (!(error instanceof DamagedStore) || error.setAside === undefined) throw error
    noteSetAside(error.setAside, context)
    return bringUpToDate(cleanStore(openSqliteStore(path, context.now).store), context, freshness)
  }
}

const noteSetAside = (setAside: string, context: ReadingContext): void =>
  context.note(
    `The store was damaged. It was moved to ${setAside}, and a new one is built from the transcripts; sessions whose files are gone are only in the old one.`,
  )

function bringUpToDate(store: Store, context: ReadingContext, freshness: Freshness): FreshStore {
  context.atEnd?.(() => store.close())
  return upToDateNow(store, context, freshness)
}

function upToDateNow(store: Store, context: ReadingContext, freshness: Freshness): FreshStore {
  if (store.readOnly) {
    if (!isIndexing(freshness))
      context.note(
        `The store ${store.path} is read-only: this answer is as old as its last update.`,
        'partly',
      )
    return { store, found: asFound(context, freshness) }
  }
  const deadline = Date.now() + (freshness.patience ?? PATIENCE_MS)
  for (;;) {
    const found = freshenWhereRoom(store, context, freshness)
    if (found) return { store, found }
    if (Date.now() > deadline) break
    Atomics.wait(pause, 0, 0, LOOK_AGAIN_MS)
  }
  context.note('Another process is indexing. This answer shows what is stored so far.', 'partly')
  return { store, found: asFound(context, freshness), busy: true }
}

/** Only the command `index` sets its patience. */
const isIndexing = ({ patience }: Freshness): boolean => patience !== undefined

/** On a full disk, queries are answered from the store as it is. Only `index` fails. */
function freshenWhereRoom(
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
): Refreshed | undefined {
  try {
    return freshen(store, context, freshness)
  } catch (error) {
    if (isIndexing(freshness) || !(error instanceof ScrollbackError) || error.code !== 'store-full')
      throw error
    context.progress?.stop()
    context.note(`${error.message} This answer shows what was stored before.`, 'partly')
    return asFound(context, freshness)
  }
}

/** Brings the store up to date. Undefined if another process is doing so. */
export function freshen(store: Store, context: ReadingContext, freshness: Freshness): Refreshed | undefined {
  if (freshness.rebuild) return finish(freshenInSteps(store, context, freshness))
  const seen = lookFirst(store, { ...context, ...freshness })
  const same = upToDate(store, { ...context, ...freshness, seen })
  if (same && isEnough(store, same, freshness)) return same
  return finish(freshenInSteps(store, context, freshness, seen))
}

/** The same in steps, without comparing first whether anything has changed. */
export const freshenInSteps = (
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
  seen?: Seen,
): Steps<Refreshed | undefined> => store.asWriter(() => work(store, context, freshness, seen))

/** Indexes one file, if it is not yet. The caller is the writer. */
export function indexFile(store: Store, path: string, context: ReadingContext): void {
  refresh(store, { ...optionsOf(store, context, { needs: 'messages' }), progress: undefined, path })
}

function* work(
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
  seen: Seen | undefined,
): Steps<Refreshed> {
  const found = yield* refreshInSteps(store, { ...optionsOf(store, context, freshness), seen })
  for (const { path, fault } of found.faults) context.note(`${path} ${fault}`, 'partly')
  if (found.pending && canLeave(freshness)) notePending(found.pending, context)
  if (!found.pending?.files) {
    // Both reading many files and assigning them take memory, of which the first is garbage now.
    if (found.read > MANY_FILES) collectGarbage()
    assignProjects(store)
  }
  settle(store, found)
  return found
}

/** Whether a command answers although files are not indexed. */
const canLeave = ({ needs }: Freshness): boolean => needs === 'files' || needs === 'sessions'

function optionsOf(
  store: Store,
  context: ReadingContext,
  { only, rebuild, needs }: Freshness,
): RefreshOptions {
  const worker = context.threads > 1 ? workerUrl() : undefined
  return {
    environment: context.environment,
    now: context.now,
    only,
    rebuild,
    threads: (artifacts) => threadsFor(artifacts, context.threads),
    worker,
    faultOf,
    progress: context.progress,
    withoutWords: canLeave({ needs }) || needs === 'messages',
    leavesLong: needs === 'available',
    ...(worker &&
      store.path !== IN_MEMORY && {
        collectWords: (ranges) => wordsInThread(store, ranges, worker),
      }),
    ...(needs === 'files' && { leavesUnread: true }),
    ...(needs === 'sessions' && {
      preview: (artifacts) => storePreviews(store, artifacts, context),
    }),
  }
}

/** A second thread collects the words while this one writes. */
function* wordsInThread(
  store: Store,
  ranges: readonly MessageRange[],
  worker: URL,
): Generator<readonly string[]> {
  const results = inOrder<MessageRange, { words: readonly string[] }>({
    tasks: ranges,
    run: (range) => ({ words: store.wordsIn(range) }),
    ...{ threads: 2, worker, settings: { job: 'words', path: store.path } },
  })
  for (const { words } of results) yield words
}

function noteIndexing({ files, messages }: Indexing, context: ReadingContext): void {
  const { done, all } = messages ?? files
  context.note(
    `Indexing: ${done.toLocaleString('en')} of ${counted(all, messages ? 'message' : 'file')} so far.`,
  )
}

/** What is not indexed, in words: `980 files (352 MB)`. */
export const pendingText = ({ files, bytes, messages }: Pending): string =>
  files > 0
    ? `${counted(files, 'file')} (${readableBytes(bytes)})`
    : `the words of ${counted(messages, 'message')}`

const notePending = (pending: Pending, context: ReadingContext): void =>
  context.note(`Not indexed yet: ${pendingText(pending)}. To index everything: scrollback index`)

/** The files on disk, if they could not be compared with the store. */
function asFound(context: ReadingContext, { only }: Freshness): Refreshed {
  const found = look(context.environment, only)
  rememberPathsOf(found)
  return Object.assign(nothingDone(found), { unchanged: 0 })
}
