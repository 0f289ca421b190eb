import { type Discovery, rememberPathsOf } from '../../collect/discover.ts'
import { cleanStore } from '../../collect/index/clean-store.ts'
import { costOf, type Step } from '../../collect/index/plan.ts'
import { createFoldedFiles, type FoldedFiles } from '../../collect/index/read-increment.ts'
import {
  indexWords,
  lookFirst,
  missing,
  nothingDone,
  type Refreshed,
  type RefreshOptions,
  refresh,
  refreshInSteps,
  type Seen,
  settle,
  unchanged,
} from '../../collect/index/refresh.ts'
import { look } from '../../collect/index/view.ts'
import { ScrollbackError } from '../../errors.ts'
import { collectGarbage, keepHeapSmall } from '../../io/process.ts'
import type { PlatformId } from '../../model/artifact.ts'
import { finish, type Steps } from '../../model/iteration.ts'
import { assignProjects } from '../../project/group.ts'
import { counted } from '../../render/table.ts'
import type { Node } from '../../search/query.ts'
import { isSessionOnly } from '../../store/increment.ts'
import { DamagedStore } from '../../store/sqlite/database.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { asOnlyWriter, type Store } from '../../store/store.ts'
import type { StorePart } from '../../store/team.ts'
import type { Needs } from './command.ts'
import type { FreshStore, Indexing, ReadingContext } from './context.ts'
import { filesWith } from './raw-search.ts'
import { faultOf, threadsFor, workerUrl } from './read-files.ts'

/** For commands that would otherwise answer from an empty store while another process fills it. */
export const nothingYet = (): ScrollbackError =>
  new ScrollbackError(
    'nothing-found',
    'Nothing is stored yet, because another process is indexing.',
    'Run the command again when it has finished.',
  )

interface Freshness {
  only?: PlatformId
  rebuild?: boolean
  /**
   * What is needed: `messages` without their words, or everything by default. With `sessions`, messages that
   * would take long to read are left for later.
   */
  needs?: 'sessions' | 'messages'
  /** With `sessions`: only so many bytes of the newest ones, for a list that goes on. */
  newest?: number
  /** The words of a search. Only what may contain one of them is needed. */
  containing?: Node | undefined
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
 * Opens the store and brings it up to date. Every command asks it, and it is closed with the command. It
 * holds no secrets: with `--no-redact`, texts come from the files.
 */
export function freshStore(context: ReadingContext, freshness: Freshness = {}): FreshStore {
  if (context.remote) {
    context.fresh ??= context.remote.open(context, freshness.part)
    return context.fresh
  }
  context.fresh ??= openFresh(context, freshness)
  const { store, indexing, asIs } = context.fresh
  if (asIs || isEnough(context.fresh, freshness)) return context.fresh
  if (indexing) noteIndexing(indexing, context)
  else context.fresh = finish(upToDate(store, context, freshness))
  return context.fresh
}

/**
 * The same before a command runs. If the human interrupts it, the command answers from what is stored by
 * then.
 */
export async function prepareStore(context: ReadingContext, needs: Needs): Promise<void> {
  const freshness: Freshness = needs === 'words' ? {} : typeof needs === 'string' ? { needs } : needs
  const { untilInterrupted, remote } = context
  if (untilInterrupted && !remote) context.fresh = await openStore(context, freshness, untilInterrupted)
  else freshStore(context, freshness)
}

/** Whether everything is indexed that is needed. */
function isEnough(
  { store, found: { pending, left }, enoughFor }: FreshStore,
  { needs, containing }: Freshness,
): boolean {
  if (needs === 'sessions') return true
  if (left && (containing === undefined || JSON.stringify(containing) !== enoughFor)) return false
  return !pending && (needs === 'messages' || store.readOnly || store.unindexed() === 0)
}

/** Finishes work in steps. Undefined if it was interrupted. */
type Finishing = <Result>(steps: Steps<Result>) => Promise<Result | undefined>

const openFresh = (context: ReadingContext, freshness: Freshness): FreshStore =>
  reopening(context, (store) => finish(upToDate(store, context, freshness)))

/** The same, as far as the human lets it. */
const openStore = (context: ReadingContext, freshness: Freshness, until: Finishing): Promise<FreshStore> =>
  reopening(context, (store) => asFarAsWanted(store, context, freshness, until))

async function asFarAsWanted(
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
  until: Finishing,
): Promise<FreshStore> {
  const fresh = await until(upToDate(store, context, freshness))
  if (fresh) return fresh
  context.partly?.()
  // The words of what was read are part of the answer. This takes a fraction of the time of reading.
  if (freshness.needs === undefined) await until(wordsOf(store, context))
  context.progress?.stop()
  return { store, found: asStored(store, context, freshness), asIs: 'interrupted' }
}

/** Brings the whole store up to date. Throws if it cannot be used, or if the human interrupts this. */
export async function wholeStore(context: ReadingContext, freshness: Freshness = {}): Promise<FreshStore> {
  const { untilInterrupted } = context
  if (untilInterrupted && !context.remote)
    context.fresh = await openStore(context, freshness, untilInterrupted)
  const fresh = freshStore(context, freshness)
  if (fresh.asIs !== 'interrupted') return fresh
  const { count, pending } = fresh.found
  const left = pending?.files ?? 0
  throw new ScrollbackError(
    'interrupted',
    left > 0
      ? `Interrupted: ${(count - left).toLocaleString('en')} of ${counted(count, 'file')} are indexed.`
      : 'Interrupted.',
    'What is indexed stays indexed: run the command again for the rest.',
  )
}

/** Indexes what a search has left for later in the store that it has opened, as far as the human lets it. */
export async function completeStore(context: ReadingContext): Promise<FreshStore> {
  const { fresh, untilInterrupted } = context
  if (!untilInterrupted) return freshStore(context)
  context.fresh = await asFarAsWanted(fresh!.store, context, {}, untilInterrupted)
  return context.fresh
}

/** Indexes the words of everything that is stored, unless another process is writing. */
const wordsOf = (store: Store, context: ReadingContext): Steps<unknown> =>
  store.asWriter(() => indexWords(store, store.unindexed(), optionsOf(context, {})))

/** Opens the store, and once more if it turns out to be damaged: then it was set aside. */
function reopening<Result>(context: ReadingContext, use: (store: Store) => Result): Result {
  // Before discovering the disk: for 100,000 files that alone creates much short-lived memory.
  keepHeapSmall()
  const open = (): Store => {
    const { store, setAside } = openSqliteStore(context.storePath, context.now)
    if (setAside !== undefined) noteSetAside(setAside, context)
    context.atEnd?.(() => store.close())
    return store
  }
  try {
    const store = open()
    store.checkPages(context.now)
    return use(cleanStore(store))
  } catch (error) {
    // During a query it is too late to rebuild the store. The next command does.
    if (!(error instanceof DamagedStore) || error.setAside === undefined) throw error
    noteSetAside(error.setAside, context)
    return use(cleanStore(open()))
  }
}

const noteSetAside = (setAside: string, context: ReadingContext): void =>
  context.note(
    `The store was damaged, or written by an early version. It was moved to ${setAside}, and a new one is built from the transcripts; sessions whose files are gone are only in the old one.`,
  )

function* upToDate(store: Store, context: ReadingContext, freshness: Freshness): Steps<FreshStore> {
  if (store.readOnly) {
    if (!isIndexing(freshness))
      context.note(
        `The store ${store.path} is read-only: this answer is as old as its last update.`,
        'partly',
      )
    return { store, found: asFound(context, freshness) }
  }
  const deadline = Date.now() + (freshness.patience ?? PATIENCE_MS)
  let isFirst: boolean | undefined
  for (;;) {
    const found = yield* whereRoom(store, context, freshness)
    if (found) {
      const enough = found.left ? { enoughFor: JSON.stringify(freshness.containing) } : {}
      return { store: found.pending?.areListed ? readingMessages(store, context) : store, found, ...enough }
    }
    if (Date.now() > deadline) {
      if (isFirst === undefined) {
        isFirst = canWait(store, context, freshness)
        if (isFirst) context.note(WAITING)
      }
      if (!isFirst) break
    }
    Atomics.wait(pause, 0, 0, LOOK_AGAIN_MS)
    yield
  }
  context.note('Another process is indexing. This answer shows what is stored so far.', 'partly')
  return { store, found: asStored(store, context, freshness), asIs: 'busy' }
}

const WAITING =
  'Another process is indexing for the first time. Waiting until it has finished; Ctrl-C shows what is stored by then.'

/** Of two first commands, the second waits for the first, as far as the human lets it. Servers do not. */
const canWait = (store: Store, context: ReadingContext, freshness: Freshness): boolean =>
  context.untilInterrupted !== undefined &&
  !isIndexing(freshness) &&
  store.settled(look(context.environment, freshness.only).scope) === undefined

/** Only the command `index` sets its patience. */
const isIndexing = ({ patience }: Freshness): boolean => patience !== undefined

/** On a full disk, queries are answered from the store as it is. Only `index` fails. */
function* whereRoom(
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
): Steps<Refreshed | undefined> {
  try {
    return yield* refreshed(store, context, freshness)
  } catch (error) {
    if (isIndexing(freshness) || !(error instanceof ScrollbackError) || error.code !== 'store-full')
      throw error
    context.progress?.stop()
    context.note(`${error.message} ${error.wayOut ?? ''} This answer shows what was stored before.`, 'partly')
    return asStored(store, context, freshness)
  }
}

/** Brings the store up to date. Undefined if another process is doing so. */
export const freshen = (store: Store, context: ReadingContext, freshness: Freshness): Refreshed | undefined =>
  finish(refreshed(store, context, freshness))

function* refreshed(
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
): Steps<Refreshed | undefined> {
  if (freshness.rebuild) return yield* freshenInSteps(store, context, freshness)
  const seen = lookFirst(store, { ...context, ...freshness })
  const same = unchanged(store, { ...context, ...freshness, seen })
  if (same && isEnough({ store, found: same }, freshness)) return same
  return yield* freshenInSteps(store, context, freshness, seen)
}

/** The same in steps, without comparing first whether anything has changed. */
export const freshenInSteps = (
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
  seen?: Seen,
): Steps<Refreshed | undefined> => store.asWriter(() => work(store, context, freshness, seen))

/** A store of which only sessions are up to date. The messages of one are read when they are asked for. */
function readingMessages(store: Store, context: ReadingContext): Store {
  const whole = (path: string): Store => {
    const known = store.knownFile({ path })
    if (!known || known.goneMs !== undefined || !isSessionOnly(known.checkpoint)) return store
    const deadline = Date.now() + PATIENCE_MS
    while (Date.now() < deadline) {
      if (asOnlyWriter(store, () => indexFile(store, path, context)) !== undefined) return store
      Atomics.wait(pause, 0, 0, LOOK_AGAIN_MS)
    }
    context.note('Another process is indexing. Messages that it has not read yet are missing.', 'partly')
    return store
  }
  return {
    ...store,
    messages: (path, from, needs) => whole(path).messages(path, from, needs),
    cutMessages: (path) => whole(path).cutMessages(path),
    itemsAt: (path, from, count) => whole(path).itemsAt(path, from, count),
    outline: (path, options) => whole(path).outline(path, options),
    positions: (path, query) => whole(path).positions(path, query),
    countMessages: (path) => whole(path).countMessages(path),
  }
}

/** Indexes one file, if it is not yet. The caller is the writer. */
export const indexFile = (store: Store, path: string, context: ReadingContext): Refreshed =>
  refresh(store, { ...optionsOf(context, { needs: 'messages' }), progress: undefined, path })

function* work(
  store: Store,
  context: ReadingContext,
  freshness: Freshness,
  seen: Seen | undefined,
): Steps<Refreshed> {
  const found = yield* refreshInSteps(store, { ...optionsOf(context, freshness), seen })
  for (const { path, fault } of found.faults) context.note(`${path} ${fault}`, 'partly')
  // Both reading many files and assigning them take memory, of which the first is garbage now.
  if (found.read > MANY_FILES) collectGarbage()
  assignProjects(store)
  settle(store, found)
  return found
}

function optionsOf(
  context: ReadingContext,
  { only, rebuild, needs, newest, containing }: Freshness,
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
    folded: context.folded,
    upTo: needs,
    newest,
    ...(containing && { choose: (steps, found) => stepsWith(containing, steps, found, context) }),
  }
}

function noteIndexing({ files, messages }: Indexing, context: ReadingContext): void {
  const { done, all } = messages ?? files
  context.note(
    `Indexing: ${done.toLocaleString('en')} of ${counted(all, messages ? 'message' : 'file')} so far.`,
  )
}

/** The files on disk, if they could not be compared with the store. */
function asFound(context: ReadingContext, { only }: Freshness): Refreshed {
  const found = look(context.environment, only)
  rememberPathsOf(found)
  return Object.assign(nothingDone(found), { unchanged: 0 })
}

/** The same, with what the store lacks of them. */
function asStored(store: Store, context: ReadingContext, freshness: Freshness): Refreshed {
  const found = asFound(context, freshness)
  const pending = missing(store, found, { ...context, upTo: freshness.needs })
  return pending.files + pending.messages > 0 ? Object.assign(found, { pending }) : found
}

/** With a larger share of the bytes, everything is read. */
const MOST_CHOSEN = 0.5

/** The steps that a search for words needs. Undefined if it is better to read everything. */
function stepsWith(
  words: Node,
  steps: readonly Step[],
  found: Discovery,
  context: ReadingContext,
): Step[] | undefined {
  const files = filesWith(
    words,
    steps.map(({ artifact }) => artifact),
    { roots: found.roots, all: found.artifacts },
    context,
  )
  // A renamed file may be in the way of another.
  const chosen = files && steps.filter(({ artifact, moved }) => moved || files.has(artifact))
  const costs = (some: readonly Step[]): number => some.reduce((sum, step) => sum + costOf(step), 0)
  return chosen && costs(chosen) <= MOST_CHOSEN * costs(steps) ? chosen : undefined
}

/** A store that reads a session or a known file again only if it has changed. */
export interface ReadBefore {
  store: Store
  /** The files that grow, as they were folded. */
  folded: FoldedFiles
  /** Frees what was read. */
  forget(): void
}

/** For a store that is asked for all files or sessions more than once. */
export function withReadBefore(store: Store): ReadBefore {
  const files: Parameters<Store['known']>[0] = new Map()
  const sessions: Parameters<Store['sessions']>[2] = new Map()
  const folded = createFoldedFiles()
  return {
    folded,
    store: {
      ...store,
      known: (before = files) => store.known(before),
      sessions: (roots, paths, before = sessions) => store.sessions(roots, paths, before),
    },
    forget() {
      files.clear()
      sessions.clear()
      folded.clear()
    },
  }
}
