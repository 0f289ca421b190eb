import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expandBraces, namesMatching } from '../../io/glob.ts'
import { type FolderWatch, watchEach } from '../../io/watch-folders.ts'
import type { Environment, PlatformId } from '../../model/artifact.ts'
import { platformOf } from '../../platforms/index.ts'
import { type Inventory, inventory } from './inventory.ts'
import { pause } from './retry.ts'
import type { Source } from './source.ts'

/** Writes come in bursts, in ms. */
const SETTLE_MS = 150
/** What the system does not tell, on network drives for one, is looked for so often, */
const POLL_MS = 30_000
/** and the less often the longer that takes: no more than this part of the time, and as much again for what is then done about it. */
const POLL_SHARE = 800
/** Looking through everything takes no more than this part of the time. */
const SCAN_SHARE = 20

/**
 * What lies on the disk, kept up to date: each change is looked at by itself where it is to a file that is known, and by looking through
 * everything where it is not. Idle, it costs nothing but a slow look around.
 */
export interface Lookout {
  /** As it was seen last. */
  found(): Inventory
  /** Resolves when it was seen otherwise than at `seen`, with the number of what is seen now; or when it is stopped. */
  changed(seen: number): Promise<number>
  close(): void
}

export function createLookout(environment: Environment, stop: AbortSignal, settleMs = SETTLE_MS): Lookout {
  const started = performance.now()
  let seen = inventory(environment)
  let version = 1
  let dirty = new Set<string>()
  let everything = false
  let working = false
  let closed = false
  let scannedMs = 0
  let scanTookMs = performance.now() - started
  let wake: (() => void)[] = []
  const watch: FolderWatch = watchEach((path) => {
    if (path === undefined) everything = true
    else dirty.add(path)
    void work()
  })
  watch.setFolders(foldersOf(seen))
  let poll = setTimeout(pollAll, Math.max(POLL_MS, scanTookMs * POLL_SHARE))
  function pollAll(): void {
    everything = true
    void work().finally(() => {
      poll = setTimeout(pollAll, Math.max(POLL_MS, scanTookMs * POLL_SHARE))
      if (stop.aborted || closed) clearTimeout(poll)
    })
  }
  stop.addEventListener('abort', arouse, { once: true })
  return {
    found: () => seen,
    async changed(before) {
      while (version === before && !stop.aborted) await new Promise<void>((resolve) => wake.push(resolve))
      return version
    },
    close() {
      closed = true
      clearTimeout(poll)
      watch.close()
      arouse()
    },
  }

  function arouse(): void {
    const all = wake
    wake = []
    for (const each of all) each()
  }

  async function work(): Promise<void> {
    if (working) return
    working = true
    try {
      while ((dirty.size > 0 || everything) && !stop.aborted) {
        await pause(settleMs, stop)
        const paths = dirty
        dirty = new Set()
        const known = new Map(seen.sources.map((source) => [source.path, source]))
        const strangers = [...paths].filter((path) => !isKnownFile(path, known))
        if (everything || strangers.length > 0) await lookAround()
        else
          seen = {
            ...seen,
            sources: seen.sources.map((each) => (paths.has(each.path) ? looked(each) : each)),
          }
        version++
        arouse()
      }
    } finally {
      working = false
    }
  }

  async function lookAround(): Promise<void> {
    await pause(Math.max(0, scannedMs + scanTookMs * SCAN_SHARE - performance.now()), stop)
    everything = false
    const began = performance.now()
    seen = inventory(environment)
    // Once slow because the machine was busy is no reason to wait long.
    scanTookMs = Math.min(performance.now() - began, 2 * scanTookMs)
    scannedMs = performance.now()
    watch.setFolders(foldersOf(seen))
  }
}

/** A plain file of lines that only grew or was written anew; anything else may have changed what there is. */
function isKnownFile(path: string, known: ReadonlyMap<string, Source>): boolean {
  const source = known.get(path)
  if (!source || source.row.content === 'rows' || source.row.kind === 'session-index') return false
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function looked(source: Source): Source {
  const stats = statSync(source.path, { throwIfNoEntry: false })
  if (!stats) return source
  const now = { bytes: stats.size, modifiedMs: stats.mtimeMs, identity: `${stats.dev}:${stats.ino}` }
  return { ...source, ...now, artifact: source.artifact && { ...source.artifact, ...now } }
}

/** The folders of all sources, and every other that a row of the tables may have something in one day. */
function foldersOf({ roots, sources }: Inventory): Set<string> {
  const folders = new Set<string>()
  for (const { path } of sources) folders.add(dirname(path))
  for (const { path, found, platform } of roots) {
    folders.add(found ? path : dirname(path))
    if (!found) continue
    for (const pattern of placesOf(platform))
      for (const match of namesMatching(path, pattern)) if (match.stats.isDirectory()) folders.add(match.path)
  }
  return folders
}

const places = new Map<PlatformId, readonly string[]>()

/** Folders that rows of a table lie in, as patterns: each with all that are above it. */
function placesOf(platform: PlatformId): readonly string[] {
  let known = places.get(platform)
  if (!known) {
    const found = new Set<string>()
    for (const row of platformOf(platform).table) {
      if ('skip' in row) continue
      for (const plain of expandBraces(row.pattern)) {
        const segments = plain.split('/').slice(0, -1)
        for (let count = 1; count <= segments.length; count++) {
          if (segments[count - 1] !== '**') found.add(segments.slice(0, count).join('/'))
        }
      }
    }
    known = [...found]
    places.set(platform, known)
  }
  return known
}
