import { ScrollbackError } from '../errors.ts'
import { collectGarbage } from '../io/process.ts'
import type { PlatformId } from '../model/artifact.ts'
import type { Steps } from '../model/iteration.ts'
import { assignProjects } from '../project/group.ts'
import type { Store } from '../store/store.ts'
import { rememberPathsOf } from './discover.ts'
import {
  indexWords,
  missingOf,
  nothingDone,
  type Refreshed,
  type RefreshOptions,
  refreshInSteps,
  scan,
  settle,
  unchanged,
} from './refresh.ts'
import { takeSnapshot } from './snapshot.ts'

/** What a caller needs from the store: by default, the messages and figures of all files. */
export interface SyncOptions {
  /** Also the words of messages, which only a search needs. */
  words?: boolean
  /** Only so many bytes of the newest files, for a first answer that others complete. */
  budget?: number
  /** Only one platform, or one file. */
  only?: PlatformId | { path: string }
  /** Everything is read again. */
  rebuild?: boolean
  /** How long to wait for another writer, in ms. By default as long as it writes something. */
  patience?: number
}

/** The machine to read, and where to report what happens. */
export interface SyncHost
  extends Omit<RefreshOptions, 'words' | 'budget' | 'only' | 'path' | 'rebuild' | 'scanned'> {
  /** Tells the person that the command waits. */
  note(message: string): void
}

/** Why a store is not up to date: what another process does, the person, the disk, or its permissions. */
export type Obstacle = 'busy' | 'interrupted' | 'full' | 'read-only'

/** What is on disk, and whether the store has all of it. */
export interface Synced extends Refreshed {
  upToDate: boolean
  obstacle?: Obstacle
  /** The error, if the disk is full. */
  fault?: ScrollbackError
}

const LOOK_AGAIN_MS = 50
/** A writer that writes nothing for this long may have been stopped, in ms. */
const STILL_MS = 5000
/** The delay before a person is told about the wait, and the interval of its progress, in ms. */
const SILENCE_MS = 1500
const WAITING =
  'Another process is indexing. Waiting until it has finished; Ctrl-C shows what is stored by then.'
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Brings the store up to date: the only way into it. Reads each new file once and writes its messages and
 * figures; then words, if they are wanted. If another process is writing, waits for it. Can be ended between
 * two steps; what was read by then is stored. A full disk and a read-only store are no errors: the result
 * says that the store is as it was.
 *
 * @example
 * const { upToDate, missing } = finish(sync(store, host, { words: true }))
 */
export function* sync(store: Store, host: SyncHost, options: SyncOptions = {}): Steps<Synced> {
  if (store.readOnly) return asStored(store, host, options, 'read-only')
  const wanted = optionsOf(host, options)
  const scanned = options.rebuild ? undefined : scan(store, wanted)
  const same = scanned && unchanged(store, { ...wanted, scanned })
  if (same && (!options.words || store.unindexed() === 0)) return withDone(same)
  const waiting = createWaiting(store, host, options)
  try {
    for (;;) {
      const found = yield* store.asWriter(() => refreshed(store, { ...wanted, scanned }))
      if (found) return withDone(found)
      if (waiting.isOver()) return asStored(store, host, options, 'busy')
      Atomics.wait(pause, 0, 0, LOOK_AGAIN_MS)
      yield
    }
  } catch (error) {
    if (!(error instanceof ScrollbackError) || error.code !== 'store-full') throw error
    return Object.assign(asStored(store, host, options, 'full'), { fault: error })
  } finally {
    waiting.end()
  }
}

/** After an interruption: the words of what was read belong to the answer, and take little time. */
export const wordsOf = (store: Store, host: SyncHost): Steps<unknown> =>
  store.asWriter(() => indexWords(store, store.unindexed(), optionsOf(host, {})))

/** The state of a store that could not be brought up to date. */
export function asStored(store: Store, host: SyncHost, options: SyncOptions, obstacle: Obstacle): Synced {
  const found = nothingDone(takeSnapshot(host.environment, platformOf(options)))
  rememberPathsOf(found)
  if (obstacle === 'read-only') return Object.assign(found, { unchanged: 0, upToDate: false, obstacle })
  const missing = missingOf(store, found, optionsOf(host, options))
  return Object.assign(found, { unchanged: 0, upToDate: false, obstacle, ...(missing && { missing }) })
}

function* refreshed(store: Store, options: RefreshOptions): Steps<Refreshed> {
  const found = yield* refreshInSteps(store, options)
  // Both reading many files and assigning them take memory, of which the first is garbage now.
  if (found.read > MANY_FILES) collectGarbage()
  assignProjects(store)
  settle(store, found)
  return found
}

const MANY_FILES = 5000

/** Not a copy, which would create the artifacts. */
const withDone = (found: Refreshed): Synced => Object.assign(found, { upToDate: found.missing === undefined })

const platformOf = ({ only }: SyncOptions): PlatformId | undefined =>
  typeof only === 'object' ? undefined : only

function optionsOf(host: SyncHost, options: SyncOptions): RefreshOptions {
  const { words = false, budget, only, rebuild } = options
  const path = typeof only === 'object' ? only.path : undefined
  return { ...host, words, budget, path, rebuild, ...(path === undefined && { only: platformOf(options) }) }
}

/** Waits for another writer, and shows how far it is: what it has written is missing no longer. */
function createWaiting(store: Store, host: SyncHost, options: SyncOptions) {
  const { patience } = options
  /** Servers and programs wait for a limited time, and are not told that they could interrupt it. */
  const isPerson = patience === undefined || patience === Number.POSITIVE_INFINITY
  const began = Date.now()
  let wroteAt = began
  let version: number | undefined
  let looked = began
  let left: number | undefined
  const bytesLeft = (): number => {
    const snapshot = takeSnapshot(host.environment, platformOf(options))
    return missingOf(store, snapshot, optionsOf(host, options))?.bytes ?? 0
  }
  return {
    isOver(): boolean {
      const now = Date.now()
      const latest = store.othersWrote()
      if (latest !== version) wroteAt = now
      version = latest
      if (patience === undefined ? now - wroteAt >= STILL_MS : now - began >= patience) return true
      if (!isPerson || now - looked < SILENCE_MS) return false
      const bytes = bytesLeft()
      if (left === undefined) {
        host.note(WAITING)
        // Without any, the other process writes words, whose number is not known here.
        if (bytes > 0) host.progress?.start('Waiting', bytes)
      } else if (bytes < left) host.progress?.advance(left - bytes)
      left = bytes
      looked = Date.now()
      return false
    },
    end(): void {
      if (left !== undefined) host.progress?.stop()
    },
  }
}
