import { setImmediate as others } from 'node:timers/promises'
import type { Context, FreshStore, Indexing, ReadingContext } from '../context/context.ts'
import { freshStore, noteObstacle, type ReadBefore, synced, withReadBefore } from '../context/fresh-store.ts'
import { collectGarbage } from '../io/process.ts'
import type { Environment } from '../model/artifact.ts'
import { finish, type Steps } from '../model/iteration.ts'
import { naming } from '../selection/session-names.ts'
import type { SyncOptions } from '../sync/sync.ts'

/** The least interval between updates of the open store. */
const REFRESH_MS = 1000

/** So many bytes of the newest sessions are read at first. The page shows them before all others. */
const FIRST_BYTES = 4 * 1024 * 1024

interface ServerStore {
  /** A context for one call. `notes` collects the notes. */
  context(notes: string[]): Context & { fresh: FreshStore }
  /** The same for a question about files that are otherwise left out, which are looked for now. */
  wider(notes: string[], wanted: Pick<Environment, 'deleted' | 'backups'>): Context & { fresh: FreshStore }
  /**
   * Brings the store up to date now. Undefined if another process is doing so. `willWrite` is called before
   * what is new in a file is stored.
   */
  refresh(notes: string[], willWrite?: (path: string) => void): FreshStore['found'] | undefined
  /** Frees what is only cached. The next call reads it again. */
  rest(): void
  /** Closes the store. The next call opens it again. */
  close(): void
}

interface ServerStoreOptions {
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

export function createServerStore(
  base: Context,
  { now = Date.now, isWatched = () => false, cacheKib, indexing }: ServerStoreOptions = {},
): ServerStore {
  let fresh: FreshStore | undefined
  let readBefore: ReadBefore | undefined
  let background: BackgroundIndex | undefined
  /** `indexing` was called with progress, but not yet with the end. */
  let isAnnounced = false
  /** The same with cached rows, valid until the store or the disk changes. */
  let cached: { fresh: FreshStore; others: number } | undefined
  let freshAt = 0
  let endings: (() => void)[] = []
  const vectors = createBackgroundVectors(base)
  const suggest = naming(base.suggest, () => fresh)
  return {
    context,
    close,
    wider,
    rest() {
      cached = undefined
      readBefore?.forget()
      if (cacheKib !== undefined) fresh?.store.limitCache(cacheKib)
    },
    refresh(notes, willWrite) {
      const isOpen = fresh?.store.isThere() === true
      return isOpen ? refresh({ ...contextFor(notes), willWrite }) : context(notes).fresh.found
    },
  }

  function contextFor(notes: string[]): Context {
    return {
      ...base,
      suggest,
      now: now(),
      redact: true,
      fresh,
      folded: readBefore?.folded,
      columns: undefined,
      color: false,
      progress: undefined,
      choose: undefined,
      partly: undefined,
      offerTools: undefined,
      atEnd: (done) => void endings.push(done),
      note: (message) => {
        if (!notes.includes(message)) notes.push(message)
      },
    }
  }

  function refresh(context: Context): FreshStore['found'] | undefined {
    if (!fresh || fresh.store.readOnly || background) return undefined
    const found = finish(synced(fresh.store, context, NOW))
    freshAt = performance.now()
    // While another process updates the store, or the disk is full, the stored state is used.
    if (found.obstacle) {
      if (found.obstacle !== 'busy') noteObstacle({ ...fresh, found }, context)
      cached = undefined
      return undefined
    }
    if (found.inventory !== fresh.found.inventory || found.read > 0) cached = undefined
    fresh = { ...fresh, found }
    vectors.goOn(fresh.store)
    return found
  }

  function context(notes: string[]): Context & { fresh: FreshStore } {
    const context = contextFor(notes)
    // The store was deleted. Queries of the deleted file would return outdated rows.
    if (fresh && !fresh.store.isThere()) close()
    context.fresh = fresh
    if (!fresh) {
      const opened = freshStore(context, { words: true, ...(indexing && { budget: FIRST_BYTES }) })
      readBefore = withReadBefore(opened.store)
      fresh = { ...opened, store: readBefore.store }
      if (fresh.found.missing && !fresh.found.obstacle) begin(fresh)
      else {
        if (isAnnounced) announceEnd()
        vectors.goOn(fresh.store)
      }
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
    const found = finish(synced(store, wide, NOW))
    // The next question is about the usual files again.
    cached = undefined
    freshAt = Number.NEGATIVE_INFINITY
    return found.obstacle ? wide : { ...wide, fresh: { found, store } }
  }

  /** Indexes the rest between the questions. */
  function begin({ store, found }: FreshStore): void {
    background = indexInBackground(store, contextFor([]), found, {
      advanced(progress) {
        isAnnounced = true
        indexing!(progress)
      },
      ended(found) {
        background = undefined
        if (fresh) fresh = { store, found: found ?? fresh.found }
        announceEnd()
        vectors.goOn(store)
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
    vectors.stop()
    const closing = endings
    endings = []
    fresh = undefined
    readBefore = undefined
    cached = undefined
    for (const end of closing) end()
  }
}

/** Whoever asks does not wait for another writer. */
const NOW: SyncOptions = { words: true, patience: 0 }

/** After this much work in ms, questions are answered. */
const TURN_MS = 30
/** The least interval between two reports, in ms. */
const REPORT_MS = 250
/** If another process is indexing, this is how long to wait before trying again, in ms. */
const RETRY_MS = 1000
/** So long a search waits for the words of what is read, in ms. One step more may take longer. */
const WORDS_MS = 300

/** How far indexing is. */
export type IndexProgress =
  | ({ version: 1 } & Pick<Indexing, 'files' | 'bytes' | 'messages'>)
  | { version: 1; done: true }

interface BackgroundIndex {
  state: Indexing
  stop(): void
}

interface Listener {
  /** Something was written. Called at most every quarter of a second. */
  advanced(progress: IndexProgress): void
  /** Everything is indexed, or that failed: then without the result. */
  ended(found: FreshStore['found'] | undefined): void
}

/** Brings the store up to date in steps, so that this thread can answer questions in between. */
function indexInBackground(
  store: FreshStore['store'],
  context: ReadingContext,
  { count, missing }: FreshStore['found'],
  { advanced, ended }: Listener,
): BackgroundIndex {
  const unstored: NonNullable<ReadingContext['unstored']> = {}
  /** Somebody searches: what is read can be found before more is read. */
  let areWordsFirst = false
  const state: Indexing = {
    files: { done: count - missing!.files, all: count },
    bytes: { done: 0, all: missing!.bytes },
    indexNow(path) {
      // What is read by now is written.
      work.return(undefined as never)
      finish(synced(store, { ...context, progress: undefined }, { only: { path }, patience: 0 }))
      work = begin()
    },
    indexWords() {
      areWordsFirst = true
      unstored.store?.()
      areWordsLeft(WORDS_MS)
    },
  }
  const progress = {
    start(_: string, total: number, unit?: 'messages') {
      if (unit) state.messages = { done: 0, all: total }
    },
    stop() {},
    advance(more: number) {
      if (state.messages) state.messages.done += more
      else {
        state.files.done++
        state.bytes.done += more
      }
    },
  }
  let isBegun = false
  const begin = () => {
    isBegun = false
    return synced(store, { ...context, progress, unstored }, NOW)
  }
  let work = begin()
  let reportedAt = 0
  let next: NodeJS.Immediate | NodeJS.Timeout = setImmediate(turn)
  return {
    state,
    stop() {
      clearImmediate(next as NodeJS.Immediate)
      clearTimeout(next as NodeJS.Timeout)
      work.return(undefined as never)
    },
  }

  function turn(): void {
    const until = performance.now() + TURN_MS
    try {
      let step: ReturnType<typeof work.next> | undefined
      if (!areWordsFirst || !areWordsLeft(TURN_MS))
        do step = work.next()
        while (!step.done && performance.now() < until)
      if (step) isBegun = !step.done
      if (!step?.done) {
        report()
        next = setImmediate(turn)
      } else if (step.value.obstacle !== 'busy') ended(step.value)
      else {
        work = begin()
        next = setTimeout(turn, RETRY_MS)
      }
    } catch {
      // The next question fails with the same error, and says so.
      ended(undefined)
    }
  }

  /** Indexes words for so long, but at least in one transaction. Tells whether more are left. */
  function areWordsLeft(ms: number): boolean {
    if (store.unindexed() === 0) return false
    const advanced = (count: number): void => {
      if (state.messages) state.messages.done += count
    }
    const words = () => store.indexWords({ collectGarbage, advanced })
    // Work that was begun is the only writer.
    const steps = isBegun ? words() : store.asWriter(words)
    const until = performance.now() + ms
    let step = steps.next()
    while (!step.done && performance.now() < until) step = steps.next()
    steps.return(undefined)
    return !step.done
  }

  function report(): void {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    const { files, bytes, messages } = state
    advanced({ version: 1, files, bytes, ...(messages && { messages }) })
  }
}

type Store = FreshStore['store']

/**
 * The same store with cached session rows, known files and sums, which most calls need. Discard it when
 * something is written.
 */
function withCachedRows(store: Store): Store {
  const cached = new Map<string, ReturnType<Store['sessions']>>()
  const searchable = new Map<string, ReturnType<Store['searchable']>>()
  let known: ReturnType<Store['known']> | undefined
  return {
    ...store,
    known() {
      known ??= store.known()
      return known
    },
    sessions(roots, paths) {
      if (paths) return store.sessions(roots, paths)
      const key = JSON.stringify(roots ?? null)
      const rows = cached.get(key) ?? store.sessions(roots)
      cached.set(key, rows)
      return [...rows]
    },
    searchable(roots) {
      const key = JSON.stringify(roots)
      const sums = searchable.get(key) ?? store.searchable(roots)
      searchable.set(key, sums)
      return sums
    },
  }
}

/** After this much work in ms, new messages are handled, such as the cancellation of this call. */
const YIELD_MS = 5

/**
 * Returns a function that yields to other work now and then. Rejects with the reason of `stop` if that
 * aborts.
 */
export function createTurns(stop?: AbortSignal): () => Promise<void> | undefined {
  let turn = performance.now()
  const wait = async (): Promise<void> => {
    await others()
    stop?.throwIfAborted()
    turn = performance.now()
  }
  return () => (performance.now() - turn > YIELD_MS ? wait() : undefined)
}

/** Runs work in steps, and stops when it is canceled. */
export async function inTurns<Result>(steps: Steps<Result>, stop?: AbortSignal): Promise<Result> {
  const turns = createTurns(stop)
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      const turn = turns()
      if (turn) await turn
    }
  } catch (error) {
    steps.return(undefined as Result)
    throw error
  }
}

/** After an encoder did not answer, it is left alone for so long, in ms. */
const AGAIN_MS = 60_000

interface BackgroundVectors {
  /** Goes on if there is something to do. Does nothing where search by meaning is off. */
  goOn(store: FreshStore['store']): void
  stop(): void
}

/** Gives messages vectors between the questions to a server, where search by meaning is on. */
function createBackgroundVectors({ environment }: Pick<Context, 'environment'>): BackgroundVectors {
  let running: AbortController | undefined
  let notBefore = 0
  return {
    goOn(store) {
      if (running || store.readOnly || performance.now() < notBefore || !store.vectors?.set()) return
      running = new AbortController()
      void fill(store, running.signal).finally(() => {
        running = undefined
      })
    },
    stop() {
      running?.abort()
    },
  }

  async function fill(store: FreshStore['store'], stop: AbortSignal): Promise<void> {
    try {
      const { fillVectors } = await import('../meaning/fill.ts')
      const { ended } = await fillVectors(store, { variables: environment.variables, stop })
      if (ended === 'failed') notBefore = performance.now() + AGAIN_MS
    } catch {
      // The store was closed or is damaged. The next question says so.
      notBefore = performance.now() + AGAIN_MS
    }
  }
}
