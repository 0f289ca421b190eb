import type { Context, FreshStore } from '../../context/context.ts'
import type { Incomplete } from '../../context/scanned.ts'
import { conversationOf } from '../../model/conversation.ts'
import { append } from '../../model/iteration.ts'
import { isEmptySession, isOfPeople, type Session } from '../../model/session.ts'
import { hasSessionFilter } from '../../model/session-filter.ts'
import { groupByProject, isInFolder, type Project } from '../../project/group.ts'
import { projectAt } from '../../project/match.ts'
import { grouped, homely } from '../../render/table.ts'
import { titleOf } from '../../render/text.ts'
import { createMatcher, wantedTerms } from '../../search/match.ts'
import { asksOfMessages, type Query } from '../../search/query.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import type { SearchAnswer, SearchHit } from '../../store/search.ts'
import type { StoredMessage } from '../../store/stored.ts'
import { groupsOf } from '../search/answer.ts'
import { ask, input as searchInput } from '../search/ask.ts'

/** What a list is about. */
export type Scope = 'folder' | 'project' | 'everything'

/** A session of the list, or one that a search found. */
export interface SessionEntry {
  kind: 'session'
  session: Session
  title: string
  project: string | undefined
  /** How many forks and copies are in this row. */
  copies: number
  /** The best passage of a search. */
  hit?: SearchHit
  /** How many messages match. */
  matches?: number
}

/** A text that agents remember: whose it is, and its name. */
export interface Memory {
  owner: string
  hit: SearchHit
}

export type Entry =
  | SessionEntry
  /** A day, with what happened on it. */
  | { kind: 'day'; ms: number; sessions: number }
  /** Sessions that nobody prompted, and copies. */
  | { kind: 'fold'; label: string; isOpen: boolean }
  /** A text that agents remember. */
  | ({ kind: 'memory' } & Memory)

/** What is chosen to be listed. */
interface Wanted {
  scope: Scope
  platform: string | undefined
  /** The project of the row that was selected, for a scope of one project. */
  project: string | undefined
  words: string
  isOpen: boolean
}

export interface Listing {
  entries: Entry[]
  /** How many sessions are listed, of how many. */
  shown: number
  total: number
  /** Whether a search found more than is listed. */
  isCut?: boolean
  /** What a search is made from while sessions are indexed. */
  incomplete?: Incomplete
  /** What the list is about: a folder, a project, the demo, or undefined for everything. */
  about: string | undefined
  /** The query of a search, and the words that it looked for, without what is syntax. */
  query?: Query
  words: string[]
  /** What the search says about itself: a misspelled word, a filter that matches nothing. */
  remarks: string[]
}

/** The sessions of the store at one moment. */
interface Loaded {
  /** Newest first, without empty ones. */
  sessions: readonly Session[]
  here: Project | undefined
  nameOf(session: Session): string | undefined
  context: Context & { fresh: FreshStore }
}

/** What the picker shows, from the store of this machine. */
export interface Source {
  listing(wanted: Wanted): Promise<Listing>
  /** The scopes that differ here, widest last. */
  scopes(): Scope[]
  /** The platforms that have sessions, most first. */
  platforms(): { id: string; sessions: number }[]
  /** All messages of a session, */
  messages(session: Session): StoredMessage[]
  /** and how many they are. */
  count(session: Session): number
  /** The last messages of a session, or those around the passage that a search found. */
  passage(entry: SessionEntry, count: number): StoredMessage[]
  /** Something was written: the next question reads the sessions again. */
  forget(): void
}

/** More passages than anybody scrolls through. */
const MOST_HITS = 60
/** With fewer sessions, also those are listed whose names have parts of the words. */
const FEW = 20

/** `open` gives the context of one question. */
export function createSource(open: () => Context & { fresh: FreshStore }): Source {
  let loaded: Loaded | undefined
  const now = (): Loaded => {
    loaded ??= load(open())
    return loaded
  }
  return {
    listing: async (wanted) =>
      wanted.words.trim() === '' ? listed(wanted, now()) : search(wanted, now(), open()),
    scopes() {
      const { here, sessions, context } = now()
      if (!here) return ['everything']
      const inside = sessions.filter((session) => isHere(session, context.directory)).length
      return [
        ...(inside > 0 && inside < here.sessions.length ? ['folder' as const] : []),
        'project',
        'everything',
      ]
    },
    platforms: () =>
      [...Map.groupBy(now().sessions, ({ platform }) => platform)]
        .map(([id, { length: sessions }]) => ({ id, sessions }))
        .sort((one, other) => other.sessions - one.sessions),
    messages: ({ path }) => now().context.fresh.store.messages(path, undefined, { usage: false }),
    count: ({ path }) => now().context.fresh.store.itemsAt(path, 0, 1).total,
    passage({ session: { path }, hit }, count) {
      const { store } = now().context.fresh
      if (hit)
        return store.messages(
          hit.path,
          { line: hit.line, count, before: Math.floor(count / 3) },
          { usage: false },
        )
      const { total } = store.itemsAt(path, 0, 1)
      return store.itemsAt(path, Math.max(0, total - count), count).items
    },
    forget() {
      loaded = undefined
    },
  }
}

function load(context: Context & { fresh: FreshStore }): Loaded {
  const { sessions } = loadSessions({}, context)
  const projects = groupByProject(sessions).filter(({ path }) => path !== undefined)
  const names = new Map<string, string>()
  for (const project of projects) for (const { path } of project.sessions) names.set(path, project.name)
  return {
    sessions: sessions.filter((session) => !isEmptySession(session)),
    // Nobody works in a folder of the demo.
    here: context.globalFlags?.demo ? undefined : projectAt(projects, context.directory),
    nameOf: ({ path }) => names.get(path),
    context,
  }
}

const isHere = ({ cwds }: Session, directory: string): boolean =>
  cwds.some(([path]) => isInFolder(path, directory))

/** The sessions that are wanted, whatever words they contain. */
function chosen({ scope, platform, project }: Wanted, { sessions, here, nameOf, context }: Loaded) {
  const name = project ?? here?.name
  const isWanted = (session: Session): boolean =>
    (platform === undefined || session.platform === platform) &&
    (scope === 'everything' ||
      (scope === 'project' ? nameOf(session) === name : isHere(session, context.directory)))
  return { sessions: sessions.filter(isWanted), name }
}

function aboutOf({ scope }: Wanted, name: string | undefined, { context }: Loaded): string | undefined {
  if (scope === 'project') return name
  if (scope === 'folder') return homely(context.directory, context.environment.home)
  return context.globalFlags?.demo ? 'invented sessions' : undefined
}

/** The list by time, with the sessions of people first and all others in one line below them. */
function listed(wanted: Wanted, loaded: Loaded): Listing {
  const { sessions, name } = chosen(wanted, loaded)
  const people: Session[] = []
  const others = new Set<Session>()
  const copies = new Map<string, number>()
  const heads = new Set<string>()
  for (const session of sessions) {
    const conversation = conversationOf(session)
    copies.set(conversation, (copies.get(conversation) ?? 0) + 1)
    if (!isOfPeople(session) || heads.has(conversation)) others.add(session)
    else people.push(session)
    heads.add(conversation)
  }
  const entryOf = (session: Session): SessionEntry => ({
    kind: 'session',
    session,
    title: nameFor(session),
    project: loaded.nameOf(session),
    copies: others.has(session) ? 0 : copies.get(conversationOf(session))! - 1,
  })
  const entries: Entry[] = [...Map.groupBy(people, dayOf)].flatMap(([ms, ofDay]) => [
    { kind: 'day' as const, ms, sessions: ofDay.length },
    ...ofDay.map(entryOf),
  ])
  if (others.size > 0) {
    entries.push({ kind: 'fold', label: foldedInWords([...others]), isOpen: wanted.isOpen })
    if (wanted.isOpen) append(entries, [...others].map(entryOf))
  }
  return {
    entries,
    shown: people.length,
    total: loaded.sessions.length,
    about: aboutOf(wanted, name, loaded),
    words: [],
    remarks: [],
  }
}

/** The beginning of the local day of the last activity, in ms. */
const dayOf = ({ lastActivityMs, modifiedMs }: Session): number =>
  new Date(lastActivityMs ?? modifiedMs).setHours(0, 0, 0, 0)

const nameFor = (session: Session): string =>
  session.annotation?.name ?? titleOf(session) ?? session.subagent?.description ?? '(no messages)'

const FOLDED: readonly [kind: string, one: string, many: string][] = [
  ['subagent', 'subagent', 'subagents'],
  ['cron', 'scheduled', 'scheduled'],
  ['heartbeat', 'heartbeat', 'heartbeats'],
  ['hook', 'of a hook', 'of hooks'],
  ['program', 'scripted', 'scripted'],
]

/** `594 subagents, 100 scheduled, 12 copies`. */
function foldedInWords(sessions: readonly Session[]): string {
  const own = Map.groupBy(sessions, ({ kind }): string => kind ?? 'human')
  return [...FOLDED, ['human', 'copy', 'copies'] as const]
    .flatMap(([kind, one, many]) => {
      const count = own.get(kind)?.length ?? 0
      return count === 0 ? [] : `${grouped(count)} ${count === 1 ? one : many}`
    })
    .join(', ')
}

/**
 * Of the conversations of people that are not listed yet, those with the words in their title or project. If
 * few are found, parts of words are enough, because somebody may still be typing.
 */
function namedSo(
  { words, filters }: Query,
  sessions: readonly Session[],
  { nameOf }: Loaded,
  listed: ReadonlySet<string>,
): SessionEntry[] {
  // A filter asks for messages.
  const { after, before } = filters
  if (!words || hasSessionFilter(filters) || asksOfMessages(filters) || (after ?? before) !== undefined)
    return []
  const holds = createMatcher(words, { loose: listed.size < FEW })
  const entries: SessionEntry[] = []
  for (const all of Map.groupBy(sessions.filter(isOfPeople), conversationOf).values()) {
    const [session] = all as [Session, ...Session[]]
    const [title, project] = [nameFor(session), nameOf(session)]
    if (all.some(({ path }) => listed.has(path)) || !holds(`${title}\n${project ?? ''}`)) continue
    entries.push({ kind: 'session', session, title, project, copies: all.length - 1 })
  }
  return entries.slice(0, MOST_HITS)
}

/** Whether more is found than what is listed. */
const isCut = (
  { more, total }: SearchAnswer,
  counts: ReadonlyMap<string, number>,
  listed: ReadonlySet<string>,
): boolean =>
  more ||
  counts.keys().some((path) => !listed.has(path)) ||
  counts.values().reduce((sum, count) => sum + count, 0) < total

/** The same question as `scrollback search`, with one row for each conversation. */
async function search(wanted: Wanted, loaded: Loaded, context: Context): Promise<Listing> {
  const remarks: string[] = []
  const input = searchInput.parse({
    query: [wanted.words],
    limit: MOST_HITS,
    ...(wanted.platform !== undefined && { platform: wanted.platform }),
  })
  const { sessions, name } = chosen(wanted, loaded)
  const project = wanted.scope === 'everything' ? undefined : name
  const found = await ask(
    { ...input, ...(project !== undefined && { project }) },
    { ...context, note: (message) => void remarks.push(message) },
  )
  const counts = found.answer.sessions()
  const groups = groupsOf(found)
  const listed = new Set(groups.flatMap(({ paths, copies }) => [...paths, ...copies]))
  const entries = groups.flatMap(({ row, hits, copies, paths }): Entry[] => {
    const [hit] = hits
    if (!hit) return []
    if (!row) return hit.who === 'memory' ? [{ kind: 'memory', owner: found.ownerOf(hit), hit }] : []
    const { session } = row
    if (project !== undefined && row.project !== project) return []
    if (wanted.scope === 'folder' && !isHere(session, loaded.context.directory)) return []
    return [
      {
        kind: 'session',
        session: row.goneMs === undefined ? session : { ...session, goneMs: row.goneMs },
        title: nameFor(session),
        project: row.project,
        copies: copies.size - 1,
        hit,
        matches: [...paths].reduce((sum, path) => sum + (counts.get(path) ?? 0), 0),
      },
    ]
  })
  append(entries, namedSo(found.query, sessions, loaded, listed))
  for (const { word, instead } of found.answer.corrected ? (found.answer.corrections ?? []) : [])
    remarks.push(`“${word}” is nowhere; this is what “${instead}” finds.`)
  return {
    entries,
    shown: entries.length,
    total: loaded.sessions.length,
    ...(found.incomplete && { incomplete: found.incomplete }),
    isCut: isCut(found.answer, counts, listed),
    about: aboutOf(wanted, name, loaded),
    query: found.query,
    words: wantedTerms(found.query.words).map(({ text }) => text),
    remarks,
  }
}
