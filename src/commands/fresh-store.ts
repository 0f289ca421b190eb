import { cleanStore } from '../collect/clean-store.ts'
import { nothingDone, type Refreshed, refresh, settle, upToDate } from '../collect/refresh.ts'
import { look } from '../collect/view.ts'
import { ScrollbackError } from '../errors.ts'
import { keepHeapSmall } from '../io/heap.ts'
import type { PlatformId } from '../model/artifact.ts'
import { groupByProject } from '../project/group.ts'
import { isDamage } from '../store/sqlite/faults.ts'
import { openSqliteStore, setAsideStore } from '../store/sqlite/open.ts'
import type { SearchAnswer, Store } from '../store/store.ts'
import type { Context } from './command.ts'
import { faultOf } from './index-job.ts'
import { threadsFor, workerUrl } from './threads.ts'

/** The store, and what was found on the disk when it was brought up to date. */
export interface FreshStore {
  store: Store
  found: Refreshed
  /** Another process was writing: what is stored may be older than what lies on the disk. */
  busy?: true
}

/** While another process makes the store, that nothing is in it yet is no answer. */
export const nothingYet = (): ScrollbackError =>
  new ScrollbackError(
    'nothing-found',
    'Nothing of it is stored yet: another scrollback is indexing.',
    'Ask again when it is done.',
  )

export interface Freshness {
  only?: PlatformId
  rebuild?: boolean
  /** How long somebody else who writes is waited for, in ms; afterwards what is stored so far has to do. */
  patience?: number
}

/** Another process that indexes is mostly done sooner. */
const PATIENCE_MS = 3000
const LOOK_AGAIN_MS = 50
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Opens the store and brings it up to date: every command that answers from it goes through here. It is closed with the command.
 * Undefined where there is none: secrets are wanted, which no store holds.
 */
export function freshStore(context: Context, freshness: Freshness = {}): FreshStore | undefined {
  if (context.storePath === undefined || !context.redact) return undefined
  context.fresh ??= guarded(openFresh(context, context.storePath, freshness), context.now)
  return context.fresh
}

function openFresh(context: Context, path: string, freshness: Freshness): FreshStore {
  // Before the disk is looked at: of 100,000 files that alone makes much that is soon given up.
  keepHeapSmall()
  const { store, setAside } = openSqliteStore(path, context.now)
  if (setAside !== undefined) noteSetAside(setAside, context)
  try {
    store.checkPages(context.now)
    return bringUpToDate(cleanStore(store), context, freshness)
  } catch (error) {
    if (!isDamage(error)) throw error
    store.close()
    noteSetAside(setAsideStore(path, context.now), context)
    return bringUpToDate(cleanStore(openSqliteStore(path, context.now).store), context, freshness)
  }
}

/** Where damage shows only when the store is asked, it is too late to make it anew: the next command does. */
function guarded({ store, found, busy }: FreshStore, now: number): FreshStore {
  const inWords = (error: unknown): unknown => {
    if (!isDamage(error)) return error
    if (store.readOnly)
      return new ScrollbackError(
        'store-unreadable',
        `The store at ${store.place} is damaged, and cannot be written.`,
        'Set SCROLLBACK_HOME to a folder that you may write to.',
        error,
      )
    return new ScrollbackError(
      'store-unreadable',
      `The store was damaged. It was set aside as ${setAsideStore(store.place, now)}.`,
      'Ask again: it is made anew from the transcripts then.',
      error,
    )
  }
  const told =
    <Given extends unknown[], Result>(ask: (...given: Given) => Result) =>
    (...given: Given): Result => {
      try {
        return ask(...given)
      } catch (error) {
        throw inWords(error)
      }
    }
  /** What is done while it is consumed. */
  function* toldLater<Piece, Result>(pieces: Generator<Piece, Result>): Generator<Piece, Result> {
    try {
      return yield* pieces
    } catch (error) {
      throw inWords(error)
    }
  }
  const toldHits = ({ hits, ...answer }: SearchAnswer): SearchAnswer => ({
    ...answer,
    hits: { [Symbol.iterator]: () => toldLater(each(hits)) },
  })
  const { known, state, sessions, messages, holds, countMessages, searchable, statistics, figures, minutes } =
    store
  return {
    found,
    ...(busy ? { busy } : {}),
    store: {
      ...store,
      known: told(known),
      state: told(state),
      sessions: told(sessions),
      messages: told(messages),
      holds: told(holds),
      countMessages: told(countMessages),
      search: (wanted) => toldHits(told(store.search)(wanted)),
      *searchInSteps(wanted) {
        return toldHits(yield* toldLater(store.searchInSteps(wanted)))
      },
      searchable: told(searchable),
      statistics: told(statistics),
      figures: told(figures),
      minutes: (fromMs) => toldLater(each(told(minutes)(fromMs))),
    },
  }
}

/** Rows are looked up when they are come to. */
function* each<Row>(rows: Iterable<Row>): Generator<Row, void> {
  yield* rows
}

const noteSetAside = (setAside: string, context: Context): void =>
  context.note(
    `The store was damaged. It was set aside as ${setAside} and is made anew from the transcripts; what only the store still held can be looked for there.`,
  )

function bringUpToDate(store: Store, context: Context, freshness: Freshness): FreshStore {
  context.atEnd?.(() => store.close())
  if (store.readOnly) {
    if (!isIndexing(freshness))
      context.note(
        `The store ${store.place} cannot be written: this is what it held when it was last written.`,
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
  context.note('Another scrollback is indexing right now: this is what the store holds so far.', 'partly')
  return { store, found: asFound(context, freshness), busy: true }
}

/** Only who wants nothing else has patience. */
const isIndexing = ({ patience }: Freshness): boolean => patience !== undefined

/** On a full disk the questions are answered from what is stored; only who asked for indexing is told that it failed. */
function freshenWhereRoom(store: Store, context: Context, freshness: Freshness): Refreshed | undefined {
  try {
    return freshen(store, context, freshness)
  } catch (error) {
    if (isIndexing(freshness) || !(error instanceof ScrollbackError) || error.code !== 'store-full')
      throw error
    context.progress?.stop()
    context.note(`${error.message} This is what it held before.`, 'partly')
    return asFound(context, freshness)
  }
}

/** Brings the store up to date; undefined when another process is at it. */
export const freshen = (store: Store, context: Context, freshness: Freshness): Refreshed | undefined =>
  (freshness.rebuild ? undefined : upToDate(store, { ...context, ...freshness })) ??
  store.asWriter(() => work(store, context, freshness))

function work(store: Store, context: Context, { only, rebuild }: Freshness): Refreshed {
  const found = refresh(store, {
    environment: context.environment,
    now: context.now,
    only,
    rebuild,
    threads: (artifacts) => threadsFor(artifacts, context.threads),
    worker: context.threads > 1 ? workerUrl() : undefined,
    faultOf,
    progress: context.progress,
  })
  for (const { path, fault } of found.faults) context.note(`${path} ${fault}`, 'partly')
  placeInProjects(store)
  settle(store, found)
  return found
}

/** What is on the disk, where it could not be compared with the store. */
const asFound = (context: Context, { only }: Freshness): Refreshed => ({
  ...nothingDone(look(context.environment, only)),
  unchanged: 0,
})

/** Which project a session belongs to depends on the others: it is judged anew when any of them changed. */
function placeInProjects(store: Store): void {
  const placed = store.placed()
  const ids = new Map(placed.map(({ id, session }) => [session, id]))
  const projects = new Map<number, { name: string; path?: string } | undefined>()
  for (const { name, path, sessions } of groupByProject(placed.map(({ session }) => session))) {
    const place = path === undefined ? undefined : { name, path }
    for (const session of sessions) projects.set(ids.get(session)!, place)
  }
  store.assignProjects(projects)
}
