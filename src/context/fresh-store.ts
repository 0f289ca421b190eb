import { statSync } from 'node:fs'
import { ScrollbackError } from '../errors.ts'
import { keepHeapSmall } from '../io/process.ts'
import { finish, type Steps } from '../model/iteration.ts'
import { counted } from '../render/table.ts'
import { DamagedStore, isFull, isReadOnly } from '../store/sqlite/database.ts'
import { IN_MEMORY, type Opened, openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import type { StorePart } from '../store/team.ts'
import { cleanStore } from '../sync/clean-store.ts'
import { createFoldedFiles, type FoldedFiles } from '../sync/read-increment.ts'
import {
  asStored,
  type Obstacle,
  type Synced,
  type SyncHost,
  type SyncOptions,
  sync,
  wordsOf,
} from '../sync/sync.ts'
import type { FreshStore, Indexing, ReadingContext } from './context.ts'
import { faultOf, threadsFor, workerUrl } from './read-files.ts'

/** For commands that would otherwise answer from an empty store while another process fills it. */
export const nothingYet = (): ScrollbackError =>
  new ScrollbackError(
    'nothing-found',
    'Nothing is stored yet, because another process is indexing.',
    'Run the command again when it has finished.',
  )

/** Whoever cannot be interrupted answers from the store as it is, if another writer takes longer, in ms. */
const PATIENCE_MS = 3000

interface StoreOptions extends SyncOptions {
  /** The command changes the store, so one in memory would be of no use. */
  onDisk?: boolean
}

/**
 * The store of a command, opened and up to date. Of a team store, `part` may be enough. It holds no secrets:
 * with `--no-redact`, texts come from the files. It is closed with the command.
 */
export function freshStore(
  context: ReadingContext,
  options: StoreOptions & { part?: StorePart | undefined } = {},
): FreshStore {
  if (context.remote) {
    context.fresh ??= context.remote.open(context, options.part)
    return context.fresh
  }
  const { fresh } = context
  if (fresh?.indexing && options.words) fresh.indexing.indexWords()
  if (fresh?.indexing) noteIndexing(fresh.indexing, context)
  if (fresh && (fresh.indexing || isEnough(fresh, options))) return fresh
  const patient = { patience: PATIENCE_MS, ...options }
  const now = fresh
    ? { ...fresh, found: finish(synced(fresh.store, context, patient)) }
    : finish(upToDate(open(context, options), context, patient))
  noteObstacle(now, context)
  context.fresh = now
  return now
}

/**
 * The same before a command runs. If the human interrupts it, it answers from what is stored by then, or ends
 * if it needs the whole.
 */
export async function prepareStore(
  context: ReadingContext,
  options: SyncOptions,
  isWhole = false,
): Promise<void> {
  // Of a space, the command may need only a part.
  if (context.remote) return
  noteObstacle(await (isWhole ? wholeStore : prepared)(context, options), context)
}

async function prepared(context: ReadingContext, options: StoreOptions): Promise<FreshStore> {
  const { untilInterrupted: until } = context
  if (!until || context.fresh) return freshStore(context, options)
  const store = open(context, options)
  context.fresh = await until(upToDate(store, context, options))
  if (context.fresh) return context.fresh
  context.partly?.()
  if (options.words) await until(wordsOf(store, hostOf(context)))
  context.progress?.stop()
  context.fresh = { store, found: asStored(store, hostOf(context), options, 'interrupted') }
  return context.fresh
}

/** The same for a command that is about the whole store. Throws if the human interrupts it. */
export async function wholeStore(context: ReadingContext, options: StoreOptions): Promise<FreshStore> {
  const fresh = await prepared(context, options)
  const { count, missing, obstacle } = fresh.found
  if (obstacle !== 'interrupted') return fresh
  const left = missing?.files ?? 0
  throw new ScrollbackError(
    'interrupted',
    left > 0
      ? `Interrupted: ${(count - left).toLocaleString('en')} of ${counted(count, 'file')} are indexed.`
      : 'Interrupted.',
    'What is indexed stays indexed: run the command again for the rest.',
  )
}

/** Words may be missing from a store of which a command before needed only the rest. */
const isEnough = ({ store, found }: FreshStore, { words }: SyncOptions): boolean =>
  !words || store.readOnly || found.obstacle !== undefined || store.unindexed() === 0

/** Opens the store. A damaged one is set aside. */
function open(context: ReadingContext, options: StoreOptions): Store {
  // Before discovering the disk: for 100,000 files that alone creates much short-lived memory.
  keepHeapSmall()
  const { store, setAside } = openedFor(context, options)
  if (setAside !== undefined) noteSetAside(setAside, context)
  context.atEnd?.(() => store.close())
  try {
    store.checkPages(context.now)
  } catch (error) {
    noteDamage(error, context)
    return open(context, options)
  }
  return cleanStore(store)
}

/** In a home where nothing may be written, and on a full disk, an answer comes from memory. */
function openedFor(context: ReadingContext, { onDisk = false }: StoreOptions): Opened {
  try {
    return openSqliteStore(context.storePath, context.now)
  } catch (error) {
    const isForbidden = error instanceof ScrollbackError && (isReadOnly(error.cause) || isFull(error.cause))
    if (!isForbidden || onDisk || !isUnwritten(context.storePath)) throw error
    context.note(
      `${error.message} So everything was read from the transcripts, for this answer only. ${error.wayOut}`,
    )
    return openSqliteStore(IN_MEMORY, context.now)
  }
}

/**
 * Whether there is certainly no file, or one without content, which a full disk leaves. In a folder that may
 * not be entered, there may be one.
 */
function isUnwritten(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
  } catch {
    return false
  }
}

/** Brings an open store up to date. If it turns out to be damaged, a new one is made. */
function* upToDate(store: Store, context: ReadingContext, options: StoreOptions): Steps<FreshStore> {
  try {
    return { store, found: yield* synced(store, context, options) }
  } catch (error) {
    noteDamage(error, context)
    const another = open(context, options)
    return { store: another, found: yield* synced(another, context, options) }
  }
}

/** Throws any other error, and damage that a query finds: then the next command makes a new store. */
function noteDamage(error: unknown, context: ReadingContext): void {
  if (!(error instanceof DamagedStore) || error.setAside === undefined) throw error
  noteSetAside(error.setAside, context)
}

export const noteSetAside = (setAside: string, context: Pick<ReadingContext, 'note'>): void =>
  context.note(
    `The store was damaged, or written by an early version. It was moved to ${setAside}, and a new one is built from the transcripts; sessions whose files are gone are only in the old one.`,
  )

/** Brings a store up to date, and reports the files that could not be read. */
export function* synced(store: Store, context: ReadingContext, options: SyncOptions = {}): Steps<Synced> {
  const found = yield* sync(store, hostOf(context), options)
  for (const { path, fault } of found.faults) context.note(`${path} ${fault}`, 'partly')
  context.progress?.stop()
  return found
}

/** Says why an answer is not up to date. */
export function noteObstacle(
  { store, found: { obstacle, fault } }: FreshStore,
  context: ReadingContext,
): void {
  const note = obstacle && NOTES[obstacle]?.(store, fault)
  if (note) context.note(note, 'partly')
}

const NOTES: Partial<Record<Obstacle, (store: Store, fault: ScrollbackError | undefined) => string>> = {
  busy: () => 'Another process is indexing. This answer shows what is stored so far.',
  full: (_, fault) => `${fault?.message} ${fault?.wayOut ?? ''} This answer shows what was stored before.`,
  'read-only': ({ path }) => `The store ${path} is read-only: this answer is as old as its last update.`,
}

const hostOf = (context: ReadingContext): SyncHost => {
  const { environment, now, threads, progress, folded, willWrite, unstored } = context
  return {
    environment,
    now,
    threads: (artifacts) => threadsFor(artifacts, threads),
    worker: threads > 1 ? workerUrl() : undefined,
    faultOf,
    progress,
    folded,
    willWrite,
    unstored,
    note: (message) => context.note(message),
  }
}

function noteIndexing({ files, messages }: Indexing, context: ReadingContext): void {
  const { done, all } = messages ?? files
  context.note(
    `Indexing: ${done.toLocaleString('en')} of ${counted(all, messages ? 'message' : 'file')} so far.`,
  )
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
