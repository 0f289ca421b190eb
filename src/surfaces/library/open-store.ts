import { chooseNamed } from '../../commands/choose-sessions.ts'
import { type FreshStore, freshen, freshStore } from '../../commands/fresh-store.ts'
import { loadSessions } from '../../commands/load.ts'
import { search as searchCommand } from '../../commands/search.ts'
import { hitsOf } from '../../commands/search-json.ts'
import { stats as statsCommand } from '../../commands/stats.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Item, Session } from '../../model/session.ts'
import { contextOf } from './context.ts'
import { hitOf, timesOf } from './convert.ts'
import { told } from './gate.ts'
import type { Dimension, Hit, SessionFilter, Stats, StoreOptions } from './shapes.ts'

export interface SearchOptions {
  /** Hits at most; 20 unless given, 0 for all. */
  limit?: number
  sort?: 'relevance' | 'newest'
  /** The id of an agent, such as `main`, or with its program: `openclaw:main`. */
  agent?: string
  since?: string | Date
  until?: string | Date
}

export interface SearchResult {
  /** Messages that match; at least so many where `more` says that counting stopped there. */
  total: number
  more: boolean
  /** Each is looked up when it is come to. */
  hits: AsyncIterable<Hit>
}

export interface StatsOptions extends SessionFilter {
  /** What the rows stand for; days unless given. */
  by?: Dimension
  /** At most so many rows: the newest times, otherwise what cost most. */
  limit?: number
  order?: 'asc' | 'desc'
  /** Each row by model, too. */
  breakdown?: boolean
  /** The zone that days are told in, such as `Europe/Berlin`; the system's unless given. */
  timezone?: string
}

/** The store of all sessions, open. */
export interface HistoryStore extends Disposable {
  /** Reads what is new since it was opened or refreshed. */
  refresh(): Promise<void>
  /** The newest first. Fails with `no-project` or `several-projects` where a project is named that is not one. */
  sessions(filter?: SessionFilter): AsyncIterable<Session>
  /** What a session tells, condensed, in order. Fails with `no-session` where there is none of that id or path. */
  messages(session: string | Pick<Session, 'path'>): AsyncIterable<Item>
  /** Ranked matches in everything said; the query as on the command line. */
  search(query: string, options?: SearchOptions): Promise<SearchResult>
  /** Sums of what was said, done, used and paid. */
  stats(options?: StatsOptions): Promise<Stats>
  close(): void
}

/**
 * Opens the store and brings it up to date: only what is new in a transcript is read. Secrets are taken out of everything. Fails
 * with a ScrollbackError where it cannot be used; what could not be read goes to `onNote`.
 */
export async function openStore(options: StoreOptions = {}): Promise<HistoryStore> {
  const base = contextOf(options, true)
  const endings: (() => void)[] = []
  const context = { ...base, atEnd: (done: () => void) => void endings.push(done) }
  let fresh: FreshStore | undefined = freshStore(context)!
  const now = (): typeof context & { fresh: FreshStore } => {
    if (!fresh)
      throw new ScrollbackError('bad-option', 'The store was closed.', 'Open it anew with openStore().')
    return { ...context, now: Date.now(), fresh }
  }
  const close = (): void => {
    fresh = undefined
    for (const end of endings.splice(0)) end()
  }
  return {
    async refresh() {
      const current = now()
      const found = freshen(current.fresh.store, current, {})
      if (found) fresh = { ...current.fresh, found }
    },
    async *sessions(filter = {}) {
      const current = now()
      const { project, platform, agent, kind } = filter
      const loaded = loadSessions({ platform, agent, kind, ...timesOf(filter) }, current)
      const { sessions } = await chooseNamed(
        loaded,
        { name: project, all: project === undefined, agent },
        current,
      )
      for (const session of sessions) yield told(session)
    },
    async *messages(session) {
      const { store } = now().fresh
      const path = pathOf(session, store)
      for (const item of store.messages(path)) yield told(item)
    },
    async search(query, wanted = {}) {
      const { limit, sort, agent } = wanted
      const given = { query: [query], sort, limit, agent, ...timesOf(wanted) }
      const found = await searchCommand.run(searchCommand.input.parse(given), now())
      const { total, more } = found.answer
      return {
        ...{ total, more },
        hits: {
          async *[Symbol.asyncIterator]() {
            for (const hit of hitsOf(found)) yield told(hitOf(hit))
          },
        },
      }
    },
    async stats(wanted = {}) {
      const { since: _since, until: _until, ...asked } = wanted
      const given = { ...asked, ...timesOf(wanted) }
      const {
        version: _,
        scanned: __,
        notices: ___,
        ...sums
      } = await statsCommand.run(statsCommand.input.parse(given), now())
      return told(sums)
    },
    close,
    [Symbol.dispose]: close,
  }
}

/** Of a session by its id or path, or as it was given: there its path may have lost a secret. */
function pathOf(wanted: string | Pick<Session, 'path'>, store: FreshStore['store']): string {
  const name = typeof wanted === 'string' ? wanted : wanted.path
  if (typeof wanted !== 'string' && store.countMessages(name) > 0) return name
  const rows = store.sessions().map(({ session }) => session)
  const found =
    rows.find(({ path, id }) => path === name || id === name) ?? rows.find(({ path }) => told(path) === name)
  if (found) return found.path
  if (typeof wanted !== 'string') return name
  throw new ScrollbackError(
    'no-session',
    `The store holds no session ${name}.`,
    'Give an id or a path of sessions().',
  )
}
