import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Writes come in bursts, so changes are handled after this delay, in ms. */
const SETTLE_MS = 150
/**
 * The least interval between full scans, for changes that the system does not report, as on network drives.
 */
const POLL_MS = 30_000
/** The interval grows with the duration of a scan, so that scans take at most 1/800 of the time. */
const POLL_SHARE = 800
/** Scans caused by reported changes take at most 1/20 of the time. */
const SCAN_SHARE = 20

/** What is on the disk, kept up to date. When idle, only slow periodic scans run. */
export interface Lookout<Found> {
  /** The latest state. */
  found(): Found
  /** Resolves with the new version when the state differs from version `seen`, or when stopped. */
  changed(seen: number): Promise<number>
  close(): void
}

export interface LookoutOptions<Found> {
  /** Looks at everything. */
  scan(): Found
  /** The folders in which changes are reported. */
  foldersOf(found: Found): ReadonlySet<string>
  /** The new state after these paths changed. Undefined if only a scan can tell. */
  update(found: Found, changed: ReadonlySet<string>): Found | undefined
  stop: AbortSignal
  settleMs?: number | undefined
}

export function createLookout<Found>(options: LookoutOptions<Found>): Lookout<Found> {
  const { scan, foldersOf, update, stop, settleMs = SETTLE_MS } = options
  const clock = createScanClock()
  let found = clock.timed(scan)
  let version = 1
  let changed = new Set<string>()
  let everything = false
  let working = false
  let closed = false
  let waiting: (() => void)[] = []
  const watch: FolderWatch = watchFolderSet((path) => {
    if (path === undefined) everything = true
    else changed.add(path)
    void work()
  })
  watchFolders()
  void work()
  let poll = setTimeout(pollAll, clock.pollMs())
  stop.addEventListener('abort', wakeAll, { once: true })
  return {
    found: () => found,
    async changed(seen) {
      while (version === seen && !stop.aborted) await new Promise<void>((resolve) => waiting.push(resolve))
      return version
    },
    close() {
      closed = true
      clearTimeout(poll)
      watch.close()
      wakeAll()
    },
  }

  function pollAll(): void {
    everything = true
    void work().finally(() => {
      if (!stop.aborted && !closed) poll = setTimeout(pollAll, clock.pollMs())
    })
  }

  function wakeAll(): void {
    const all = waiting
    waiting = []
    for (const wake of all) wake()
  }

  async function work(): Promise<void> {
    if (working) return
    working = true
    try {
      while ((changed.size > 0 || everything) && !stop.aborted) {
        await pause(settleMs)
        const paths = changed
        changed = new Set()
        const updated = everything ? undefined : update(found, paths)
        if (updated === undefined) await scanAgain()
        else found = updated
        version++
        wakeAll()
      }
    } finally {
      working = false
    }
  }

  async function scanAgain(): Promise<void> {
    await pause(clock.waitMs())
    everything = false
    found = clock.timed(scan)
    watchFolders()
  }

  /** What changed in a folder between the scan and its watch is only found by another scan. */
  function watchFolders(): void {
    if (watch.setFolders(foldersOf(found))) everything = true
  }

  /** Ends early when stopped. */
  function pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: stop }).catch(() => {})
  }
}

/** Measures scans, to bound the share of time that they take. */
function createScanClock() {
  let endedMs = 0
  let tookMs = Number.POSITIVE_INFINITY
  return {
    timed<Result>(scan: () => Result): Result {
      const began = performance.now()
      const result = scan()
      endedMs = performance.now()
      // One slow scan on a busy machine should not delay the next one for long.
      tookMs = Math.min(endedMs - began, 2 * tookMs)
      return result
    },
    /** The time until the next scan that a change causes. */
    waitMs: (): number => Math.max(0, endedMs + tookMs * SCAN_SHARE - performance.now()),
    /** The time until the next scan without a reported change. */
    pollMs: (): number => Math.max(POLL_MS, tookMs * POLL_SHARE),
  }
}

/** Reports changes below many folders. */
interface FolderWatch {
  /** Replaces the set of watched folders. Returns whether there are new ones. */
  setFolders(folders: ReadonlySet<string>): boolean
  close(): void
}

/**
 * Watches folders one by one, so that the system needs one watch per folder instead of one per file. Calls
 * `onChange` with the changed path, or without one if the system does not name it. Skips folders that cannot
 * be watched.
 */
function watchFolderSet(onChange: (path?: string) => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  return {
    setFolders(folders) {
      for (const folder of [...watchers.keys()]) if (!folders.has(folder)) drop(folder)
      let added = false
      for (const folder of folders) {
        if (watchers.has(folder)) continue
        try {
          const watcher = watch(folder, { persistent: false }, (_, name) => {
            const path = name === null ? undefined : join(folder, name)
            // A folder that was recreated under the same name needs a new watch.
            if (path !== undefined && watchers.has(path)) drop(path)
            onChange(path)
          })
          // The watch ends when its folder is removed. The next scan notices that.
          watcher.on('error', () => {
            drop(folder)
            onChange()
          })
          watchers.set(folder, watcher)
          added = true
        } catch {
          // The regular scan covers this folder.
        }
      }
      return added
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}
