import { devlog } from '../../commands/devlog/command.ts'
import { chooseNamed } from '../../commands/kit/choose-sessions.ts'
import { checkedInput } from '../../commands/kit/command.ts'
import type { Context, FreshStore } from '../../commands/kit/context.ts'
import { freshen, freshStore } from '../../commands/kit/fresh-store.ts'
import { loadSessions } from '../../commands/kit/load-sessions.ts'
import { hitsOf } from '../../commands/search/answer.ts'
import { search as searchCommand } from '../../commands/search/command.ts'
import { stats as statsCommand } from '../../commands/stats.ts'
import type { Evidence } from '../../devlog/evidence.ts'
import { ScrollbackError } from '../../errors.ts'
import type { Item, Session } from '../../model/session.ts'
import { contextOf } from './context.ts'
import { hitOf, timesOf } from './convert.ts'
import { redacted } from './gate.ts'
import type { Operations } from './protocol.ts'
import type {
  EvidenceOptions,
  SearchOptions,
  SessionFilter,
  Stats,
  StatsOptions,
  StoreOptions,
} from './shapes.ts'

/** Opens the store in this thread and brings it up to date. Everything it returns is redacted. */
export function openStoreHere(options: StoreOptions, remote: Context['remote']) {
  const base = contextOf(options, true, remote)
  const endings: (() => void)[] = []
  const context = { ...base, atEnd: (done: () => void) => void endings.push(done) }
  let fresh: FreshStore = freshStore(context)!
  const now = (): typeof context & { fresh: FreshStore } => ({ ...context, now: Date.now(), fresh })
  const close = (): void => {
    for (const end of endings.splice(0)) end()
  }
  return {
    refresh(): void {
      const current = now()
      if (fresh.reload) {
        fresh = { ...fresh, found: fresh.reload() }
        return
      }
      const found = freshen(current.fresh.store, current, {})
      if (found) fresh = { ...current.fresh, found }
    },
    async *sessions(filter: SessionFilter): AsyncGenerator<Session, void> {
      const current = now()
      const { project, platform, agent, kind } = filter
      const loaded = loadSessions({ platform, agent, kind, ...timesOf(filter) }, current)
      const { sessions } = await chooseNamed(
        loaded,
        { name: project, all: project === undefined, agent },
        current,
      )
      for (const session of sessions) yield redacted(session)
    },
    async *messages(session: string | Pick<Session, 'path'>): AsyncGenerator<Item, void> {
      const { store } = now().fresh
      const path = pathOf(session, store)
      for (const item of store.cutMessages(path)) yield redacted(item)
      for (const item of store.messages(path)) yield redacted(item)
    },
    async *search(query: string, wanted: SearchOptions): ReturnType<Operations['search']> {
      const { limit, sort, agent } = wanted
      const given = { query: [query], sort, limit, agent, ...timesOf(wanted) }
      const found = await searchCommand.run(checkedInput(searchCommand, given), now())
      const { total, more } = found.answer
      yield { total, more }
      for (const hit of hitsOf(found)) yield redacted(hitOf(hit))
    },
    async *stats(wanted: StatsOptions): AsyncGenerator<Stats, void> {
      const { since: _since, until: _until, ...asked } = wanted
      const given = { ...asked, ...timesOf(wanted) }
      const {
        version: _,
        scanned: __,
        notices: ___,
        ...sums
      } = await statsCommand.run(checkedInput(statsCommand, given), now())
      yield redacted(sums)
    },
    async *evidence(wanted: EvidenceOptions): AsyncGenerator<Evidence, void> {
      const { project, topic, platform, agent, sessions } = wanted
      const given = { project, topic, platform, agent, ...timesOf(wanted), yes: true, evidence: true }
      const named = sessions === undefined ? {} : { sessions: sessions.join(',') }
      const answer = await devlog.run(checkedInput(devlog, { ...given, ...named }), now())
      yield redacted(answer.evidence as Evidence)
    },
    close,
  }
}

/** The path of a session by its id or path. A path that was returned earlier may be redacted. */
function pathOf(wanted: string | Pick<Session, 'path'>, store: FreshStore['store']): string {
  const name = typeof wanted === 'string' ? wanted : wanted.path
  if (typeof wanted !== 'string' && store.countMessages(name) > 0) return name
  const rows = store.sessions().map(({ session }) => session)
  const found =
    rows.find(({ path, id }) => path === name || id === name) ??
    rows.find(({ path }) => redacted(path) === name)
  if (found) return found.path
  if (typeof wanted !== 'string') return name
  throw new ScrollbackError(
    'no-session',
    `"${name}": no such session in the store.`,
    'Use the id or path of a session from sessions().',
  )
}
