import { type Discovery, discover } from '../../collect/discover.ts'
import { withLinks } from '../../collect/index/link-sessions.ts'
import { ScrollbackError } from '../../errors.ts'
import { type Artifact, isAskedFor } from '../../model/artifact.ts'
import type { PlatformId } from '../../model/platform-id.ts'
import type { Session } from '../../model/session.ts'
import { groupName, isOfAgent } from '../../project/group.ts'
import type { StorePart } from '../../store/clickhouse/part.ts'
import type { Machine, ReadingContext, Reports } from './context.ts'
import type { FreshStore } from './fresh.ts'
import { freshStore, nothingYet } from './fresh-store.ts'
import { annotate } from './listing/annotations.ts'
import { markOpen } from './listing/open-now.ts'
import { withoutCopies } from './listing/session-copies.ts'
import { joinRuntimes } from './listing/session-runtimes.ts'
import {
  type Filters,
  isAnnotated,
  isOfKinds,
  isOfModel,
  isOnBranch,
  isTitled,
  kindsOf,
  type Narrowing,
  spanOf,
} from './options.ts'
import { readSessions } from './read-sessions.ts'

/** Everything that was discovered, and the sessions that match the filters. */
export interface Loaded extends Discovery {
  sessions: Session[]
  /** The same with those that the filters leave out. Names are about all of them. */
  all: readonly Session[]
}

/**
 * The sessions that match the filters, newest first: from the store, or from the transcripts if there is no
 * store. Of a team store, `part` may be enough.
 */
export function loadSessions(
  input: Pick<Filters, 'platform' | 'since' | 'until' | 'kind'> & Narrowing,
  context: ReadingContext,
  part?: StorePart,
): Loaded {
  const fresh = freshStore(context, { needs: 'messages', part })
  const found = fresh ? onlyOf(fresh.found, input.platform) : discover(context.environment, input.platform)
  noteUnreadable(found, context)
  const span = spanOf(input, context)
  const kinds = input.kind === undefined ? 'all' : kindsOf(input.kind)!
  const all = fresh
    ? storedSessions(fresh, found, context).map(context.globalFlags?.demo ? asWritten : (each) => each)
    : readAll(
        // Files without any information are not opened.
        linked(
          found.artifacts.filter((artifact) => lastSign(artifact) >= span.since),
          context,
        ),
        context,
      )
  if (fresh?.asIs === 'busy' && all.length === 0) throw nothingYet()
  const own = annotate(ofAgent(joinRuntimes(withoutCopies(all)), input.agent), context, fresh)
  const sessions = own.filter(
    (session) =>
      (session.lastActivityMs ?? session.modifiedMs) >= span.since &&
      (session.startedMs ?? session.modifiedMs) <= span.until &&
      isOfKinds(session, kinds) &&
      isOnBranch(session, input.branch) &&
      isTitled(session, input.title) &&
      isOfModel(session, input.model) &&
      isAnnotated(session, input),
  )
  sessions.sort(newestFirst)
  const named = context.facts && !fresh ? storedSessions(context.facts, found, context) : own
  return { ...found, sessions: markOpen(sessions, found.roots), all: named }
}

/** Artifacts with what the store knows about them from other sessions. */
export function linked(artifacts: readonly Artifact[], { facts }: ReadingContext): Artifact[] {
  if (!facts) return [...artifacts]
  const known = facts.store.known()
  return artifacts.map((artifact) => withLinks(artifact, known.get(artifact.path)?.artifact.links))
}

const DAY = 86_400_000

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
  platform === undefined
    ? found
    : {
        ...found,
        roots: found.roots.filter((root) => root.platform === platform),
        artifacts: found.artifacts.filter((artifact) => artifact.platform === platform),
        documents: found.documents.filter((document) => document.platform === platform),
        notices: found.notices.filter((notice) => notice.platform === platform),
      }

/** The stored sessions of files on disk and of files that are gone. */
function storedSessions(
  { store, found: { pending } }: FreshStore,
  found: Discovery,
  { environment }: Machine,
): Session[] {
  const roots = new Set(found.roots.map((root) => root.path))
  const here = new Set(found.artifacts.map((artifact) => artifact.path))
  let ids: Set<string> | undefined
  const liesElsewhere = (session: Session): boolean => {
    ids ??= new Set(found.artifacts.map(identity))
    return ids.has(identity({ ...session, sessionId: session.id }))
  }
  const previews = pending
    ? new Map(store.previews().map(({ session }) => [session.path, session]))
    : undefined
  const sessions = [...(previews?.values() ?? [])].filter(({ path }) => here.has(path))
  for (const { session, goneMs } of store.sessions([...roots])) {
    if (previews?.has(session.path)) continue
    if (here.has(session.path) || session.state === 'purged') sessions.push(session)
    else if (goneMs === undefined || !isAskedFor(session.state, environment)) continue
    // A file that was renamed or compressed is not gone.
    else if (!liesElsewhere(session)) sessions.push({ ...session, goneMs })
  }
  return sessions
}

const identity = ({
  platform,
  agent,
  sessionId,
}: Pick<Artifact, 'platform' | 'agent' | 'sessionId'>): string => `${platform} ${agent} ${sessionId}`

/** Reports unreadable folders, which make an answer partial. */
export function noteUnreadable({ notices }: Discovery, context: Reports): void {
  for (const { path, message } of notices) context.note(`${path}: ${message}`, 'partly')
}

/** The latest possible activity. The session index counts if its time is clearly older than the file's. */
function lastSign(artifact: Artifact): number {
  if (artifact.updatedMs === undefined) return artifact.modifiedMs
  return Math.min(artifact.modifiedMs, artifact.updatedMs + DAY)
}

const newestFirst = (a: Session, b: Session): number =>
  (b.lastActivityMs ?? b.modifiedMs) - (a.lastActivityMs ?? a.modifiedMs) || (a.path < b.path ? -1 : 1)

function readAll(artifacts: readonly Artifact[], context: ReadingContext): Session[] {
  const sessions: Session[] = []
  for (const { read } of readSessions(artifacts, context))
    if ('session' in read) sessions.push(read.session)
    else context.note(`${read.path} ${read.fault}`, 'partly')
  return sessions
}
