import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { devlog } from '../../commands/devlog/command.ts'
import { hitsOf } from '../../commands/search/answer.ts'
import type { HitJson } from '../../commands/search/ask.ts'
import { search as searchCommand } from '../../commands/search/command.ts'
import { stats as statsCommand } from '../../commands/stats/command.ts'
import { checkedInput } from '../../context/command.ts'
import type { Context, FreshStore } from '../../context/context.ts'
import { dirFlags, type GivenDirs } from '../../context/dir-flags.ts'
import { suggesting } from '../../context/flags.ts'
import { freshStore, synced } from '../../context/fresh-store.ts'
import type { Evidence } from '../../devlog/evidence.ts'
import { ScrollbackError } from '../../errors.ts'
import { finish } from '../../model/iteration.ts'
import type { Item, Session } from '../../model/session.ts'
import { createGate } from '../../render/gate.ts'
import { chooseNamed } from '../../selection/choose-sessions.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { findTranscript, tellTranscript } from '../../selection/read-targets.ts'
import { naming } from '../../selection/session-names.ts'
import { currentDirectory, dataFolder, environmentOf, storePathOf, timeOf } from '../environment.ts'
import { processHost } from '../host.ts'
import { remoteAt, withoutDisk } from '../team-store.ts'
import type { LibraryOperations } from './protocol.ts'
import type {
  DirOptions,
  EvidenceOptions,
  Hit,
  MachineOptions,
  SearchOptions,
  SessionFilter,
  Stats,
  StatsOptions,
  StoreOptions,
} from './shapes.ts'

/** What a thread of the library answers. The store is opened by the first request that needs it. */
export function operationsFor(options: StoreOptions): LibraryOperations & { close(): void } {
  let opened: ReturnType<typeof openStoreHere> | undefined
  let remote: Context['remote']
  const store = () => {
    opened ??= openStoreHere(options, remote)
    return opened
  }
  return {
    async *open() {
      remote = await teamStoreOf(options)
      yield void store()
    },
    async *refresh() {
      yield store().refresh() as undefined
    },
    sessions: (_, filter) => store().sessions(filter),
    messages: (_, session) => store().messages(session),
    search: (_, query, wanted) => store().search(query, wanted),
    stats: (_, wanted) => store().stats(wanted),
    evidence: (_, wanted) => store().evidence(wanted),
    readSession: (_, pathOrId, redact) => readSessionHere(pathOrId, redact, options),
    async *findSessions(_, filter) {
      const inMemory = openStoreHere({ ...options, storePath: ':memory:' }, undefined, { needs: 'sessions' })
      try {
        yield* inMemory.sessions(filter)
      } finally {
        inMemory.close()
      }
    },
    close: () => opened?.close(),
  }
}

/** The team store of these options. Its code is loaded only then. */
async function teamStoreOf({ store, storePassword }: StoreOptions): Promise<Context['remote']> {
  if (store === undefined) return undefined
  const { storeAddress } = await import('../../commands/store/team-store.ts')
  return remoteAt(storeAddress(store, { password: storePassword }))
}

/** Opens the store in this thread and brings it up to date. Everything it returns is redacted. */
function openStoreHere(options: StoreOptions, remote: Context['remote'], freshness = {}) {
  const base = contextOf(options, remote)
  const endings: (() => void)[] = []
  const context = { ...base, atEnd: (done: () => void) => void endings.push(done) }
  let fresh: FreshStore = freshStore(context, freshness)
  const suggest = naming(base.suggest, () => fresh)
  const now = (): typeof context & { fresh: FreshStore } => ({ ...context, suggest, now: Date.now(), fresh })
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
      const { store } = current.fresh
      const found = finish(synced(store, current, { words: true, patience: 0 }))
      if (!found.obstacle) fresh = { store, found }
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
    async *search(query: string, wanted: SearchOptions): ReturnType<LibraryOperations['search']> {
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

/** Yields the items of one transcript. */
async function* readSessionHere(
  pathOrId: string,
  redact: boolean,
  machine: MachineOptions,
): AsyncGenerator<Item, void> {
  const context = contextOf(machine)
  for (const item of tellTranscript(findTranscript(pathOrId, context), { redact }))
    yield redact ? redacted(item) : item
}

/** What commands need of the process. */
export function contextOf(options: StoreOptions, remote?: Context['remote']): Context {
  const { demo, deleted, backups, storePath, onNote } = options
  const flags = { dirs: dirsIn(options), demo, deleted, backups }
  const host = processHost()
  const here = environmentOf(flags, host)
  const { directory } = here
  const environment = remote ? withoutDisk(here.environment) : here.environment
  const path = storePath === undefined || storePath === ':memory:' ? storePath : resolve(storePath)
  return {
    environment,
    directory,
    here: currentDirectory(host),
    now: timeOf(flags, host),
    redact: true,
    threads: Math.min(8, availableParallelism()),
    storePath: path ?? storePathOf(flags, host),
    dataFolder: dataFolder(host),
    ...(remote ? { remote } : {}),
    machine: { device: '', user: '' },
    started: { ...host.started, script: join(currentDirectory(host), 'library') },
    suggest: suggesting('scrollback', () => []),
    print: async () => {},
    deliverOut: async () => {},
    note: (message) => onNote?.(redacted(message)),
  }
}

/** Folders by platform, from `dirs` and from each platform's own option. */
function dirsIn(options: StoreOptions): GivenDirs {
  const dirs: GivenDirs = {}
  for (const { option, platform } of dirFlags) {
    const given = options.dirs?.[platform] ?? options[option as keyof DirOptions]
    if (given) dirs[platform] = [...given]
  }
  return dirs
}

/** An invalid date becomes an invalid text, which the command refuses. */
const timeText = (time: string | Date | undefined): string | undefined =>
  time instanceof Date ? (Number.isNaN(time.getTime()) ? String(time) : time.toISOString()) : time

const timesOf = ({ since, until }: Pick<SessionFilter, 'since' | 'until'>) => ({
  since: timeText(since),
  until: timeText(until),
})

/** Reduces a hit to the documented fields. */
const hitOf = (hit: HitJson): Hit => {
  const {
    session,
    platform,
    agent,
    project,
    who,
    at,
    snippet,
    marks,
    text,
    tool,
    path,
    line,
    offset,
    score,
  } = hit
  return { session, platform, agent, project, who, at, snippet, marks, text, tool, path, line, offset, score }
}

const gate = createGate({ redact: true, colors: false })

/** Redacts everything that the module returns, unless secrets were requested. */
const redacted: <Value>(value: Value) => Value = gate.value
