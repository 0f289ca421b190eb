import type { Evidence } from '../../devlog/evidence.ts'
import type { PlatformId } from '../../model/artifact.ts'
import type { Item, Session } from '../../model/session.ts'
import { IDENTITIES } from '../../platforms/identities.ts'

/** Only its type is used: it declares the names of all options, and nothing else of the platforms. */
const dirNames = () => IDENTITIES.map(({ dirName }) => dirName)

/**
 * An option for each platform: folders instead of the usual ones, such as `claudeDirs: ['/backup/.claude']`.
 */
export type DirOptions = {
  readonly [Name in ReturnType<typeof dirNames>[number] as `${Name}Dirs`]?: readonly string[]
}

/**
 * Which machine is read. By default, the usual folders of the user who runs the program.
 *
 * @example
 * import { findSessions, type MachineOptions } from 'agent-scrollback'
 *
 * const nowhere: MachineOptions = { claudeDirs: [], openclawDirs: [] }
 * await Array.fromAsync(findSessions(nowhere)) // => []
 */
export interface MachineOptions extends DirOptions {
  /**
   * Folders by the id of their platform, instead of the usual ones: `{ openclaw: ['/backup/.openclaw'] }`.
   */
  dirs?: Readonly<Record<string, readonly string[]>>
  /** Read the demo data in the package. */
  demo?: boolean
  /** Include deleted sessions that are still on disk. */
  deleted?: boolean
  /** Include backup copies of transcripts. */
  backups?: boolean
  /**
   * Environment variables, as the command line reads them: with `env: process.env`, `CLAUDE_CONFIG_DIR` and
   * others select the folders, and `SCROLLBACK_HOME` selects the store. Without it, no variable is read, and
   * the folders are below `os.homedir()`.
   */
  env?: Readonly<Record<string, string | undefined>>
  /** Receives what could not be read and is missing in the results. Nothing is printed. */
  onNote?(message: string): void
}

/**
 * Which machine a store holds, and where the store is.
 *
 * @example
 * import { openStore, type StoreOptions } from 'agent-scrollback'
 *
 * const notes: string[] = []
 * const options: StoreOptions = { demo: true, storePath: ':memory:', onNote: (note) => notes.push(note) }
 * await using store = await openStore(options)
 * notes // => []
 */
export interface StoreOptions extends MachineOptions {
  /** The file of the store. By default, the one of the command line. `:memory:` creates no file. */
  storePath?: string
  /** Read a team store instead of this machine: `clickhouse://user@host/database`. */
  store?: string
  /** The password of its user. */
  storePassword?: string
}

/**
 * Selects sessions.
 *
 * @example
 * import { findSessions, type SessionFilter } from 'agent-scrollback'
 *
 * const filter: SessionFilter = { project: 'api', kind: 'human', since: new Date('2026-11-01') }
 * const sessions = await Array.fromAsync(findSessions({ demo: true, ...filter }))
 * sessions.every(({ kind }) => kind === 'human') // => true
 */
export interface SessionFilter {
  /** A project or an agent by a part of its name or path, a folder, or the id of a session. */
  project?: string
  platform?: PlatformId
  /** The id of an agent, such as `main`, or with its platform: `openclaw:main`. */
  agent?: string
  /** Kinds, separated by commas: `human`, `cron`, `subagent`, `heartbeat`, `hook`, `program`, or `all`. */
  kind?: string
  /** A time, or an expression that the command line accepts: `7d`, `2026-01-31`, `yesterday`. */
  since?: string | Date
  until?: string | Date
}

/**
 * A message or tool call that matches.
 *
 * @example
 * import { openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const { hits } = await store.search('"once per order" who:human', { limit: 1 })
 * const [hit] = await Array.fromAsync(hits)
 * hit?.at // => '2026-10-02T16:40:00.000Z'
 * hit?.marks.map(([start, end]) => hit.snippet.slice(start, end)) // => ['once per order']
 */
export interface Hit {
  /** The id of its session. */
  session: string
  platform: string
  agent: string
  project: string | null
  who: 'human' | 'agent' | 'program' | 'tool' | 'error' | 'marker' | 'memory' | 'output'
  /** ISO 8601. */
  at: string | null
  /** The part that matches best. */
  snippet: string
  /** The ranges of the snippet that match, in UTF-16 units. */
  marks: [start: number, end: number][]
  /** The whole message. `null` for a tool call. */
  text: string | null
  tool: { name: string; target: string | null } | null
  path: string
  /** From 1. */
  line: number
  /** In bytes. */
  offset: number
  /** Comparable within one result. */
  score: number
}

export type Dimension =
  | ('day' | 'week' | 'month' | 'block' | 'model' | 'project' | 'project-day')
  | ('session' | 'tool' | 'agent' | 'platform' | 'device' | 'person')

/**
 * Sums. Costs are in US dollars, and `null` if no price is known.
 *
 * @example
 * import { openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const { totals } = await store.stats()
 * totals.messages // => { human: 69, agent: 107 }
 * totals.cost // => 1.05312
 */
export interface Sums {
  sessions: number
  messages: { human: number; agent: number }
  humanWords: number
  toolCalls: number
  errors: number
  inputTokens: number
  outputTokens: number
  /** The part of `outputTokens` that is reasoning, as far as agents record it. */
  reasoningTokens: number
  cacheReadTokens: number
  cacheCreationTokens: number
  /** At list price. */
  cost: number | null
  /** As recorded by the clients. */
  recordedCost: number | null
  /** Tokens that an agent added up itself, including titles and summaries. */
  recordedTokens: { input: number; output: number; cacheRead: number; cacheWrite: number } | null
  /** Models whose tokens are not included in any cost. */
  unpricedModels: string[]
}

/** The usage of one model within a row. */
interface ModelPart
  extends Pick<
    Sums,
    | 'inputTokens'
    | 'outputTokens'
    | 'reasoningTokens'
    | 'cacheReadTokens'
    | 'cacheCreationTokens'
    | 'cost'
    | 'recordedCost'
    | 'recordedTokens'
  > {
  model: string
  replies: number
}

/** Five hours that count toward one usage limit. */
interface Block {
  startsAt: string
  endsAt: string
  /** The minutes of the first and the last reply. */
  firstAt: string
  lastAt: string
  /** Only for the current block: its rate, and the projection to its end. */
  pace?: {
    minutesLeft: number
    tokensPerMinute: number
    costPerHour: number | null
    projectedTokens: number
    projectedCost: number | null
  }
}

interface StatsRow extends Sums {
  key: string
  /** For rows by day and project. */
  day?: string
  project?: string
  /** For rows by session. */
  title?: string
  block?: Block
  /** With `breakdown`. */
  models?: ModelPart[]
}

/**
 * Sums over the selected sessions, and a row for each day, model or other dimension. Costs are in US dollars,
 * times in ISO 8601.
 *
 * @example
 * import { openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const { rows, rowsTotal } = await store.stats({ by: 'model' })
 * rows.slice(0, 2).map(({ key }) => key) // => ['claude-sonnet-4-6', 'claude-opus-4-6']
 * rowsTotal // => 5
 */
export interface Stats {
  project: string | null
  totals: Sums
  /**
   * The number of sessions without messages of their own, which `totals` does not count. Absent for a time
   * span.
   */
  silent?: number
  /** How many of the sessions in `totals` are of people. */
  ofPeople: number
  by: Dimension
  order: 'asc' | 'desc'
  rows: StatsRow[]
  /** The number of rows without a limit, and the sum of all of them. */
  rowsTotal: number
  rowsSum: Sums
  tools: { name: string; calls: number; errors: number }[]
  files: { path: string; count: number }[]
  /** Human messages by hour of the day, from 0 to 23. */
  hours: number[]
  /** The same for each day of the week, from Monday to Sunday. */
  weekHours: number[][]
  activeDays: number
}

/**
 * Limits and orders a search. Fails with `bad-time` for an invalid time.
 *
 * @example
 * import { openStore, type SearchOptions } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const newest: SearchOptions = { limit: 1, sort: 'newest', agent: 'openclaw:main' }
 * const { hits } = await store.search('tea', newest)
 * const agents = (await Array.fromAsync(hits)).map(({ platform, agent }) => [platform, agent])
 * agents // => [['openclaw', 'main']]
 */
export interface SearchOptions {
  /** The maximum number of hits. 20 by default, 0 for all. */
  limit?: number
  sort?: 'relevance' | 'newest'
  /** The id of an agent, such as `main`, or with its platform: `openclaw:main`. */
  agent?: string
  since?: string | Date
  until?: string | Date
}

/**
 * The result of a search.
 *
 * @example
 * import { openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const { total, more, hits } = await store.search('"once per order" who:human')
 * const found = [total, more, (await Array.fromAsync(hits)).length]
 * found // => [2, false, 2]
 */
export interface SearchResult {
  /** The number of matching messages. A lower bound if `more` is true. */
  total: number
  more: boolean
  /** Best first by default. Can be iterated more than once. */
  hits: AsyncIterable<Hit>
}

/**
 * What is counted, and by which dimension.
 *
 * @example
 * import { openStore, type StatsOptions } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const dearest: StatsOptions = { by: 'project', limit: 1, timezone: 'Europe/Berlin' }
 * const count = (await store.stats(dearest)).rows.length
 * count // => 1
 */
export interface StatsOptions extends SessionFilter {
  /** The dimension of the rows. `day` by default. */
  by?: Dimension
  /** The maximum number of rows: the newest times, otherwise the most expensive rows. */
  limit?: number
  order?: 'asc' | 'desc'
  /** Also break down each row by model. */
  breakdown?: boolean
  /** The time zone of days, such as `Europe/Berlin`. By default, the system's. */
  timezone?: string
}

/**
 * Which sessions evidence is taken from. Kinds are not chosen: sessions that no human drove are what ran
 * meanwhile.
 *
 * @example
 * import { type EvidenceOptions, openStore } from 'agent-scrollback'
 *
 * const wanted: EvidenceOptions = { project: 'api', topic: 'refund' }
 * await using store = await openStore({ demo: true })
 * const titles = (await store.evidence(wanted)).sessions.map(({ title }) => title)
 * titles[0] // => 'Checkout and payments'
 */
export interface EvidenceOptions extends Omit<SessionFilter, 'kind'> {
  /** Only sessions with these words in messages or file names. */
  topic?: string
  /** Use these sessions: ids or beginnings of ids. */
  sessions?: readonly string[]
}

/**
 * The open store of all sessions.
 *
 * @example
 * import { openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const [session] = await Array.fromAsync(store.sessions({ project: 'web' }))
 * const items = await Array.fromAsync(store.messages(session!))
 * items[0]?.line // => 5
 */
export interface HistoryStore extends Disposable, AsyncDisposable {
  /**
   * Reads new records since the store was opened or refreshed.
   *
   * @example
   * import { openStore } from 'agent-scrollback'
   *
   * await using store = await openStore({ demo: true })
   * await store.refresh()
   */
  refresh(): Promise<void>
  /**
   * Yields sessions, newest first. Fails with `no-project` or `several-projects` if the project is unknown or
   * ambiguous.
   *
   * @example
   * import { openStore } from 'agent-scrollback'
   *
   * await using store = await openStore({ demo: true })
   * const sessions = await Array.fromAsync(store.sessions({ agent: 'openclaw:ops' }))
   * sessions.every(({ agent }) => agent === 'ops') // => true
   */
  sessions(filter?: SessionFilter): AsyncIterable<Session>
  /**
   * Yields the items of a session in order. Throws `no-session` if the id or path is unknown.
   *
   * @example
   * import { openStore } from 'agent-scrollback'
   *
   * await using store = await openStore({ demo: true })
   * const id = '640ab4c7-d010-4b20-a591-b7172ef08e66'
   * const human = (await Array.fromAsync(store.messages(id))).filter(({ who }) => who === 'human')
   * human[1]?.text // => 'Once per order. The bookkeeper was clear about that. Never per line.'
   */
  messages(session: string | Pick<Session, 'path'>): AsyncIterable<Item>
  /**
   * Searches all messages and tool calls, with the query syntax of the command line.
   *
   * @example
   * import { openStore } from 'agent-scrollback'
   *
   * await using store = await openStore({ demo: true })
   * const { total } = await store.search('is:error tool:Bash')
   * total > 0 // => true
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult>
  /**
   * Sums messages, tool calls, usage and costs.
   *
   * @example
   * import { openStore } from 'agent-scrollback'
   *
   * await using store = await openStore({ demo: true })
   * const sessions = (await store.stats({ project: 'web' })).totals.sessions
   * sessions // => 8
   */
  stats(options?: StatsOptions): Promise<Stats>
  /**
   * What sessions of a project show: phases, decisions, dynamics, errors, files, commits, with a citation for
   * every statement.
   *
   * @example
   * import { openStore } from 'agent-scrollback'
   *
   * await using store = await openStore({ demo: true })
   * const { coverage, dynamics } = await store.evidence({ project: 'api' })
   * coverage.sessions // => { used: 14, fitting: 14, seen: 14 }
   * dynamics.find(({ kind }) => kind === 'course')?.citations[0]?.line // => 4
   */
  evidence(options?: EvidenceOptions): Promise<Evidence>
  /**
   * Resolves when the file of the store is closed. Running operations fail with "The store was closed.".
   *
   * @example
   * import { openStore } from 'agent-scrollback'
   *
   * const store = await openStore({ demo: true })
   * await store.close()
   * await store.stats().catch(({ message }) => message) // => 'The store was closed.'
   */
  close(): Promise<void>
}
