import { setTimeout as delay } from 'node:timers/promises'
import { itemJson } from '../../condense/item-json.ts'
import type { Context, FreshStore } from '../../context/context.ts'
import { isoTime } from '../../context/time.ts'
import type { Source } from '../../deliver/delivery/inventory.ts'
import { createLiveInventory } from '../../deliver/live-inventory.ts'
import { finishSession } from '../../render/text.ts'
import type { Store } from '../../store/store.ts'

/** New items of one file that are reported at once. The page loads the others when it shows them. */
const MOST_ITEMS = 100
/** An item that is older than this is not activity: a restored session has old ones, in ms. */
const OLD_MS = 10 * 60_000
/**
 * Refreshes take at most 1/10 of the time, and are no more frequent than this, in ms. On a busy machine, new
 * messages come with the second of these delays at the latest.
 */
const REFRESH_SHARE = 10
const LEAST_MS = 250
const MOST_MS = 2000
const RETRY_MS = 1000

/** A session that has changed. */
export interface ChangedSession {
  id: string
  path: string
  /** The id of the session that started it. */
  parent: string | null
  items: number
  lastActivityAt: string | null
}

interface Watched {
  context: Pick<Context, 'environment'>
  /**
   * Brings the store up to date. Undefined if that is not possible now. `willWrite` is called before what is
   * new in a file is stored.
   */
  refresh(willWrite: (path: string) => void): FreshStore['found'] | undefined
  store(): Store
  /** Something has changed. Without sessions, it is something else than transcripts. */
  changed(sessions: ChangedSession[]): void
  /** An item that was just written, as `follow --jsonl` prints it. */
  activity(item: object): void
}

/**
 * Follows the disk: whenever something below the roots changes, the store is refreshed, and what is new in it
 * is reported. Returns a function that stops it.
 */
export function watchDisk({ context, refresh, store, changed, activity }: Watched): () => void {
  const stop = new AbortController()
  const lookout = createLiveInventory(context.environment, stop.signal)
  const states = new Map<string, string>()
  for (const source of lookout.found().sources) states.set(source.path, stateOf(source))
  /** Changed files that are not reported yet, with the number of their items before. */
  let pending = new Map<string, number>()
  let mayRefreshAt = 0
  let isFirst = true
  /** The last message that was stored when something was reported. Forks and moved files have earlier. */
  let newest: number | undefined
  void follow()
  return () => {
    stop.abort()
    lookout.close()
  }

  async function follow(): Promise<void> {
    // What was written before the first look.
    let isDone = look()
    for (let seen = 1; !stop.signal.aborted; ) {
      if (isDone) seen = await lookout.changed(seen)
      await pause(isDone ? mayRefreshAt - performance.now() : RETRY_MS, stop.signal)
      if (!stop.signal.aborted) isDone = look()
    }
  }

  /** Returns false if the store cannot be updated now: another process is writing, or the disk is full. */
  function look(): boolean {
    try {
      const current = store()
      newest ??= current.newest()
      for (const path of changedPaths())
        if (!pending.has(path)) pending.set(path, current.countMessages(path))
      const counts = new Map<string, number>()
      const begun = performance.now()
      const found = refresh((path) => {
        if (!counts.has(path)) counts.set(path, current.countMessages(path))
      })
      const ended = performance.now()
      // The first one also reads what was written while no page was open.
      const rest = isFirst ? 0 : (ended - begun) * REFRESH_SHARE
      mayRefreshAt = ended + Math.min(MOST_MS, Math.max(LEAST_MS, rest))
      isFirst = false
      if (!found) return false
      // It may have read what was written since the lookout has looked, and read a file again in vain.
      for (const [path, count] of counts)
        if (!pending.has(path) && store().countMessages(path) !== count) pending.set(path, count)
      if (pending.size > 0 || found.read + found.gone + found.moved > 0) report(pending)
      pending = new Map()
      return true
    } catch {
      // The next question fails with the same error, and says so.
      return false
    }
  }

  function changedPaths(): string[] {
    const paths: string[] = []
    for (const source of lookout.found().sources) {
      const state = stateOf(source)
      if (states.get(source.path) === state) continue
      states.set(source.path, state)
      if (source.artifact) paths.push(source.path)
    }
    return paths
  }

  function report(counts: ReadonlyMap<string, number>): void {
    const paths = [...counts.keys()]
    const current = store()
    const since = Date.now() - OLD_MS
    const rows = current.sessions(undefined, paths).map(({ session }) => finishSession(session))
    changed(
      rows.map(({ id, path, parentSessionId = null, lastActivityMs, cut = 0 }) => ({
        id,
        path,
        parent: parentSessionId,
        items: current.countMessages(path) + (cut > 0 ? cut + 1 : 0),
        lastActivityAt: isoTime(lastActivityMs),
      })),
    )
    for (const session of rows) {
      const before = counts.get(session.path) ?? 0
      const { items } = current.itemsAt(session.path, before, MOST_ITEMS)
      for (const item of items)
        if (item.message > newest! && (item.at ?? 0) >= since) activity(itemJson(item, session))
    }
    newest = current.newest()
  }
}

const stateOf = ({ bytes, modifiedMs, identity, artifact }: Source): string =>
  `${bytes} ${modifiedMs} ${identity} ${artifact?.besideMs}`

/** Ends early when stopped. */
const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  ms <= 0 ? Promise.resolve() : delay(ms, undefined, { signal: stop }).catch(() => {})
