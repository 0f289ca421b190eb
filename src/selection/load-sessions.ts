import type { FreshStore, Machine, ReadingContext, Reports } from '../context/context.ts'
import { type SessionFlags, sessionFilterOf } from '../context/filters.ts'
import { freshStore, nothingYet } from '../context/fresh-store.ts'
import { unknownFormOf } from '../context/scanned.ts'
import { ScrollbackError } from '../errors.ts'
import { type Artifact, isAskedFor, type PlatformId, type Root } from '../model/artifact.ts'
import { shownName } from '../model/hidden.ts'
import type { Session } from '../model/session.ts'
import { isOfAgent, selecting } from '../model/session-filter.ts'
import { identityOf } from '../platforms/identities.ts'
import { platformOf } from '../platforms/index.ts'
import { groupName, projectNameOf } from '../project/group.ts'
import { knownFiles, sessionsByPath } from '../store/store.ts'
import type { StorePart } from '../store/team.ts'
import type { Discovery } from '../sync/discover.ts'
import { isUnseen } from '../sync/plan.ts'
import { withLinks } from '../sync/refresh.ts'
import { annotate } from './annotations.ts'
import { unknownFlags } from './unknown-names.ts'

/** What was discovered of the platform, or of all, and the sessions that match the filters. */
export interface Loaded extends Discovery {
  sessions: Session[]
  /** All sessions, of every platform and agent. Names are about them. They are read when they are needed. */
  readonly all: readonly Session[]
}

/** The stored sessions that match the filters, newest first. Of a team store, `part` may be enough. */
export function loadSessions(
  input: SessionFlags & { platform?: PlatformId | undefined },
  context: ReadingContext,
  part?: StorePart,
): Loaded {
  const fresh = freshStore(context, { part })
  const { platform } = input
  const found = onlyOf(fresh.found, platform)
  noteUnreadable(found, context)
  const filter = sessionFilterOf(input, context)
  const stored = storedSessions(fresh, found, context)
  noteUnknownForms(stored, context)
  if (fresh.found.obstacle === 'busy' && stored.length === 0) throw nothingYet()
  const ofPlatform = annotate(distinct(stored, context), context, fresh)
  const own = ofAgent(ofPlatform, input.agent)
  const facts = new Map(own.map((session) => [session, { ...session, session: session.id }]))
  const isSelected = selecting(filter, [...facts.values()])
  for (const remark of unknownFlags(input, [...facts.values()])) context.note(remark)
  const sessions = own.filter((session) => isSelected(facts.get(session)!))
  sessions.sort(newestFirst)
  const others = (): Session[] => storedSessions(fresh, exceptOf(fresh.found, platform!), context)
  let all: Session[] | undefined = platform === undefined ? ofPlatform : undefined
  return {
    ...found,
    sessions: markOpen(sessions, found.roots),
    get all() {
      all ??= [...ofPlatform, ...annotate(distinct(others(), context), context, fresh)]
      return all
    },
  }
}

/** Each session once, with the runtime that it ran through. */
function distinct(stored: readonly Session[], { globalFlags }: ReadingContext): Session[] {
  return joinRuntimes(withoutCopies(globalFlags?.demo ? stored.map(asWritten) : stored))
}

/** Artifacts with what the store knows about them from other sessions. */
export function linked(artifacts: readonly Artifact[], { fresh }: ReadingContext): Artifact[] {
  if (!fresh) return [...artifacts]
  const paths = artifacts.map(({ path }) => path)
  const links = new Map(knownFiles(fresh.store, paths).map(({ artifact }) => [artifact.path, artifact.links]))
  return artifacts.map((artifact) => withLinks(artifact, links.get(artifact.path)))
}

/** A session of the demo. Its file was modified when the program was installed. */
const asWritten = (session: Session): Session => ({
  ...session,
  modifiedMs: session.lastActivityMs ?? session.modifiedMs,
})

/**
 * The sessions of an agent, or of all if none is named. Fails for an unknown agent instead of returning
 * nothing.
 */
export function ofAgent(sessions: readonly Session[], agent: string | undefined): Session[] {
  if (agent === undefined) return [...sessions]
  const own = sessions.filter((session) => isOfAgent(session, agent))
  if (own.length > 0) return own
  const known = [...new Set(sessions.map(groupName))].sort()
  throw new ScrollbackError(
    'no-agent',
    `--agent: unknown agent "${agent}"`,
    known.length === 0 ? 'No sessions were found.' : `Choose ${known.join(', ')}.`,
  )
}

const onlyOf = (found: Discovery, platform: PlatformId | undefined): Discovery =>
  platform === undefined ? found : partOf(found, (of) => of.platform === platform)

const exceptOf = (found: Discovery, platform: PlatformId): Discovery =>
  partOf(found, (of) => of.platform !== platform)

const partOf = (found: Discovery, isWanted: (of: { platform: string }) => boolean): Discovery => ({
  ...found,
  roots: found.roots.filter(isWanted),
  artifacts: found.artifacts.filter(isWanted),
  documents: found.documents.filter(isWanted),
  notices: found.notices.filter(isWanted),
})

/** The stored sessions of files on disk and of files that are gone. */
function storedSessions({ store }: FreshStore, found: Discovery, { environment }: Machine): Session[] {
  const roots = new Set(found.roots.map((root) => root.path))
  const here = new Set(found.artifacts.map((artifact) => artifact.path))
  let ids: Set<string> | undefined
  const liesElsewhere = (session: Session): boolean => {
    ids ??= new Set(found.artifacts.map(sessionIdentity))
    return ids.has(sessionIdentity({ ...session, sessionId: session.id }))
  }
  const sessions: Session[] = []
  for (const { session, goneMs } of store.sessions([...roots])) {
    // All prompts of a history are in other sessions: nothing of it is left.
    if (session.state === 'purged' && session.human === 0) continue
    const isThere = here.has(session.path) || isUnseen(session.path, found)
    if (isThere || session.state === 'purged') sessions.push(session)
    else if (goneMs === undefined || !isAskedFor(session.state, environment)) continue
    // A file that was renamed or compressed is not gone.
    else if (!liesElsewhere(session)) sessions.push({ ...session, goneMs })
  }
  return sessions
}

/** Files with the same one are of the same session. */
export const sessionIdentity = ({
  platform,
  agent,
  sessionId,
}: Pick<Artifact, 'platform' | 'agent' | 'sessionId'>): string => `${platform} ${agent} ${sessionId}`

/** Reports unreadable folders, which make an answer partial. */
export function noteUnreadable({ notices }: Pick<Discovery, 'notices'>, context: Reports): void {
  for (const { path, message } of notices) context.note(`${path}: ${message}`, 'partly')
}

/** The project that a session was assigned to. Of a session that is not stored, the name of its folder. */
export function createProjectNames(
  store: FreshStore['store'] | undefined,
): (session: Session) => string | undefined {
  const rowOf = sessionsByPath(store)
  return (session) => rowOf(session.path)?.project ?? projectNameOf(session)
}

/** So many files of an unknown form are named. */
const MOST_NAMED = 3

/** Reports files of a form that this version does not know, which makes an answer partial. */
export function noteUnknownForms(sessions: readonly Session[], context: Reports): void {
  const unknown = sessions.flatMap((session) => {
    const what = unknownFormOf(session)
    return what === undefined ? [] : [`${shownName(session.path)}: ${what}`]
  })
  for (const each of unknown.slice(0, MOST_NAMED)) context.note(each, 'partly')
  if (unknown.length > MOST_NAMED)
    context.note(
      `${unknown.length - MOST_NAMED} more files have a form that this version does not know.`,
      'partly',
    )
}

const newestFirst = (a: Session, b: Session): number =>
  (b.lastActivityMs ?? b.modifiedMs) - (a.lastActivityMs ?? a.modifiedMs) || (a.path < b.path ? -1 : 1)

/**
 * The sessions, of which those are marked that a client has open now. They are copied, because sessions are
 * read once and listed often. Subagents are not marked: they have their own files, and no client shows their
 * id.
 */
export function markOpen(sessions: readonly Session[], roots: readonly Root[]): Session[] {
  const open = new Map(
    roots.flatMap((root) => {
      const ids = root.found ? platformOf(root.platform).openSessions?.(root) : undefined
      return ids?.size ? [[rootKey(root.platform, root.path), ids] as const] : []
    }),
  )
  return sessions.map((session) =>
    session.goneMs === undefined && open.get(rootKey(session.platform, session.root))?.has(session.id)
      ? { ...session, open: true }
      : session,
  )
}

const rootKey = (platform: string, root: string): string => `${platform} ${root}`

/**
 * Leaves out copies of a session: clients keep the original when they move sessions into databases, into
 * lines or to an archive, people copy databases for another release channel, and a rename leaves old state
 * directories. The most complete copy remains, and of equal ones the newest. The messages of all copies are
 * stored only once anyway.
 */
export function withoutCopies(sessions: readonly Session[]): Session[] {
  const best = new Map<string, Session>()
  for (const session of sessions) {
    const key = copyKey(session)
    const other = key === undefined ? undefined : best.get(key)
    if (key !== undefined && (!other || isBetter(session, other))) best.set(key, session)
  }
  return sessions.filter((session) => {
    const key = copyKey(session)
    return key === undefined || best.get(key) === session
  })
}

/**
 * Copies have the same session and the same start. Ids of OpenClaw may be those of another agent, and those
 * of subagents may be used again by another parent. Requested backups are listed separately.
 */
export function copyKey(session: Session): string | undefined {
  const { platform, agent, id, otherIds, kind, parentSessionId, device, startedMs, state } = session
  if (startedMs === undefined || state === 'backup') return undefined
  const whole = otherIds.find((other) => other.startsWith(id)) ?? id
  const within = identityOf(platform).manyAgents ? [agent] : [device, kind === 'subagent' && parentSessionId]
  return JSON.stringify([platform, whole, startedMs, ...within])
}

const contentOf = ({ human, agentMessages, toolCalls }: Session): number => human + agentMessages + toolCalls

/** In use, as a file, and how lately: of equal copies, the first difference decides. */
const ranksOf = ({ state, goneMs, lastActivityMs = 0, modifiedMs }: Session): number[] => [
  Number(state !== 'archived'),
  Number(goneMs === undefined),
  lastActivityMs,
  modifiedMs,
]

/** Whether listings show this copy of a session rather than the other. */
export function isBetter(one: Session, other: Session): boolean {
  const [own, others] = [
    [contentOf(one), ...ranksOf(one)],
    [contentOf(other), ...ranksOf(other)],
  ] as const
  const at = own.findIndex((rank, index) => rank !== others[index])
  return at >= 0 && own[at]! > others[at]!
}

/**
 * A session of one client may run through another client, so that both have a transcript: one with the
 * messages, the other with the agent's actions. Joins them to one session with the counts of both.
 */
function joinRuntimes(sessions: readonly Session[]): Session[] {
  const wanted = new Set(sessions.flatMap(({ entry }) => entry?.runtimeSessions ?? []))
  if (wanted.size === 0) return [...sessions]
  const twins = new Map(
    sessions
      .filter(
        ({ platform, id, kind }) => identityOf(platform).runsInside && kind !== 'subagent' && wanted.has(id),
      )
      .map((session) => [session.id, session]),
  )
  const joined = new Set<Session>()
  const rows = sessions.map((session) => {
    const own = (session.entry?.runtimeSessions ?? []).flatMap((id) => twins.get(id) ?? [])
    if (own.length === 0 || identityOf(session.platform).runsInside) return session
    for (const twin of own) joined.add(twin)
    return both(session, own)
  })
  return rows.filter((session) => !joined.has(session))
}

/** One transcript repeats part of the calls and tokens of the other, so the larger figure counts. */
function both(session: Session, twins: readonly Session[]): Session {
  const sum = (figure: 'toolCalls' | 'errors' | 'possibleErrors'): number =>
    Math.max(
      session[figure],
      twins.reduce((total, twin) => total + twin[figure], 0),
    )
  return {
    ...session,
    toolCalls: sum('toolCalls'),
    errors: sum('errors'),
    possibleErrors: sum('possibleErrors'),
    usage: twins.reduce<Session['usage']>((usage, twin) => larger(usage, twin.usage), session.usage),
    ranThrough: twins.map(({ id, path }) => ({ id, path })),
  }
}

const totalOf = (usage: Session['usage']): number =>
  usage ? usage.input + usage.output + usage.cacheRead + usage.cacheWrite : 0

const larger = (one: Session['usage'], other: Session['usage']): Session['usage'] =>
  totalOf(other) > totalOf(one) ? other : one

/** The ids of sessions that others ran through. */
export const runtimeIds = (artifacts: readonly Artifact[]): ReadonlySet<string> =>
  new Set(artifacts.flatMap(({ entry }) => entry?.runtimeSessions ?? []))
