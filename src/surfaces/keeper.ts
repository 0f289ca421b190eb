import type { Context, FreshStore } from '../commands/kit/context.ts'
import { freshen, freshStore, type ReadBefore, withReadBefore } from '../commands/kit/fresh-store.ts'
import type { Environment } from '../model/artifact.ts'
import { type BackgroundIndex, type IndexProgress, indexInBackground } from './background-index.ts'
import { withCachedRows } from './cached-rows.ts'

/** The least interval between updates of the open store. */
const REFRESH_MS = 1000

export interface Keeper {
  /** A context for one call. `notes` collects the notes. */
  context(notes: string[]): Context & { fresh: FreshStore }
  /** The same for a question about files that are otherwise left out, which are looked for now. */
  wider(notes: string[], wanted: Pick<Environment, 'deleted' | 'backups'>): Context & { fresh: FreshStore }
  /** Brings the store up to date now. Undefined if another process is doing so. */
  refresh(notes: string[]): FreshStore['found'] | undefined
  /** Frees what is only cached. The next call reads it again. */
  rest(): void
  /** Closes the store. The next call opens it again. */
  close(): void
}

export interface KeeperOptions {
  /** The current time in ms. The demo has a fixed one. */
  now?(): number
  /** Whether somebody else updates the store whenever the disk changes. */
  isWatched?(): boolean
  /** How much of the store is cached, in KiB. */
  cacheKib?: number
  /**
   * If indexing would take long, it is done between the questions. Called with its progress, the last time
   * when it is done.
   */
  indexing?(progress: IndexProgress): void
}

export function createKeeper(
  base: Context,
  { now = Date.now, isWatched = () => false, cacheKib, indexing }: KeeperOptions = {},
): Keeper {
  let fresh: FreshStore | undefined
  let readBefore: ReadBefore | undefined
  let background: BackgroundIndex | undefined
  /** `indexing` was called with progress, but not yet with the end. */
  let isAnnounced = false
  /** The same with cached rows, valid until the store or the disk changes. */
  let cached: { fresh: FreshStore; others: number } | undefined
  let freshAt = 0
  let endings: (() => void)[] = []
  return {
    context,
    close,
    wider,
    rest() {
      cached = undefined
      readBefore?.forget()
      if (cacheKib !== undefined) fresh?.store.limitCache(cacheKib)
    },
    refresh(notes) {
      const isOpen = fresh?.store.isThere() === true
      const own = isOpen ? contextFor(notes) : context(notes)
      return isOpen ? refresh(own) : own.fresh!.found
    },
  }

  function contextFor(notes: string[]): Context {
    return {
      ...base,
      ...{ now: now(), redact: true, fresh, columns: undefined, color: false },
      ...{ progress: undefined, choose: undefined, partly: undefined, offerTools: undefined },
      atEnd: (done) => void endings.push(done),
      note: (message) => {
        if (!notes.includes(message)) notes.push(message)
      },
    }
  }

  function refresh(context: Context): FreshStore['found'] | undefined {
    if (!fresh || fresh.store.readOnly || background) return undefined
    // Undefined while another process updates the store. Then the stored state is used.
    const found = freshen(fresh.store, context, {})
    if (found?.inventory !== fresh.found.inventory || found.read > 0) cached = undefined
    if (found) fresh = { ...fresh, found }
    freshAt = performance.now()
    return found
  }

  function context(notes: string[]): Context & { fresh: FreshStore } {
    const context = contextFor(notes)
    // The store was deleted. Queries of the deleted file would return outdated rows.
    if (fresh && !fresh.store.isThere()) close()
    context.fresh = fresh
    if (!fresh) {
      const opened = freshStore(context, indexing ? { needs: 'sessions' } : {})!
      readBefore = withReadBefore(opened.store)
      fresh = { ...opened, store: readBefore.store }
      if (fresh.found.pending && !fresh.asIs) begin(fresh)
      else if (isAnnounced) announceEnd()
      if (cacheKib !== undefined) fresh.store.limitCache(cacheKib)
      freshAt = performance.now()
    } else if (!isWatched() && performance.now() - freshAt >= REFRESH_MS) refresh(context)
    // Between the questions, rows change.
    if (background) return { ...context, fresh }
    const { store, found } = fresh
    const others = store.othersWrote()
    if (cached?.others !== others) {
      const now = cached && fresh.reload ? fresh.reload() : found
      fresh = { ...fresh, found: now }
      cached = { fresh: { found: now, store: withCachedRows(store) }, others }
    }
    return { ...context, fresh: cached.fresh }
  }

  function wider(
    notes: string[],
    wanted: Pick<Environment, 'deleted' | 'backups'>,
  ): Context & { fresh: FreshStore } {
    const usual = context(notes)
    const wide = { ...usual, environment: { ...usual.environment, ...wanted } }
    if (!fresh || fresh.store.readOnly || background) return wide
    const { store } = fresh
    const found = freshen(store, wide, {})
    // The next question is about the usual files again.
    cached = undefined
    freshAt = Number.NEGATIVE_INFINITY
    return found ? { ...wide, fresh: { found, store } } : wide
  }

  /** Indexes the rest between the questions. */
  function begin({ store, found }: FreshStore): void {
    background = indexInBackground(store, contextFor([]), found.pending!, {
      advanced(progress) {
        isAnnounced = true
        indexing!(progress)
      },
      ended(found) {
        background = undefined
        if (fresh) fresh = { store, found: found ?? fresh.found }
        announceEnd()
      },
    })
    fresh = { ...fresh!, indexing: background.state }
  }

  function announceEnd(): void {
    isAnnounced = false
    indexing!({ version: 1, done: true })
  }

  function close(): void {
    background?.stop()
    background = undefined
    const closing = endings
    endings = []
    fresh = undefined
    readBefore = undefined
    cached = undefined
    for (const end of closing) end()
  }
}
