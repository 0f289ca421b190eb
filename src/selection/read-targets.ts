import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Context, FreshStore, ReadingContext } from '../context/context.ts'
import { type Filters, kindsOf, narrows, spanOf } from '../context/filters.ts'
import { freshStore } from '../context/fresh-store.ts'
import { ScrollbackError } from '../errors.ts'
import { isFile } from '../io/directories.ts'
import { openSource } from '../io/source.ts'
import type { Artifact, PlatformId } from '../model/artifact.ts'
import { asObject, type JsonObject } from '../model/json.ts'
import type { Item } from '../model/session.ts'
import { isOfAgent } from '../model/session-filter.ts'
import { identityOf } from '../platforms/identities.ts'
import { platforms } from '../platforms/index.ts'
import type { Platform } from '../platforms/platform.ts'
import { counted } from '../render/table.ts'
import { sessionsByPath } from '../store/store.ts'
import { type Discovery, discover } from '../sync/discover.ts'
import { isUnseen } from '../sync/plan.ts'
import { probeStart } from '../sync/probe.ts'
import { readSession, readSlices } from '../sync/read/read-session.ts'
import { chooseNamed, isPath } from './choose-sessions.ts'
import {
  isBetter,
  linked,
  loadSessions,
  noteUnknownForms,
  noteUnreadable,
  runtimeIds,
  sessionIdentity,
} from './load-sessions.ts'
import { LARGE } from './pieces.ts'
import { hasFile, type ReadTask } from './read-messages.ts'
import { isWholeId, partOfNames, pickSession, sessionsOfId, tooShort } from './session-names.ts'

/** The transcripts to read, oldest first, and how many subagents were left out. */
interface Targets {
  tasks: ReadTask[]
  subagents: number
}

/**
 * Resolves files, session ids or prefixes, `latest`, and names of projects and agents, in any combination.
 */
export async function resolveTargets(
  names: readonly string[],
  input: Filters & { mentioned?: boolean },
  context: Context,
): Promise<Targets> {
  const chosen = new Map<string, ReadTask & { startMs: number }>()
  let subagents = 0
  const take = (artifact: Artifact, startMs: number, project?: string, line?: number): void => {
    if (!chosen.has(artifact.path)) chosen.set(artifact.path, { artifact, project, startMs, line })
  }
  const paths = names.map((name) => resolve(context.directory, name))
  const isGiven = names.map((name) => isGivenFile(name, context))
  const fresh = areForeign(names, context)
    ? undefined
    : freshStore(context, { part: input.agent === undefined ? partOfNames(names) : undefined })
  const found = fresh ? withGone(fresh, input.platform) : discover(context.environment, input.platform)
  const { agent } = input
  const wanted =
    agent === undefined ? found.artifacts : found.artifacts.filter((artifact) => isOfAgent(artifact, agent))
  const rowOf = sessionsByPath(fresh?.store)
  let ids: Set<string> | undefined
  /** Whether to leave out a subagent, because its parent is known. Without a parent, it is read. */
  const aside = (kind: string | null | undefined, parentOf: () => string | undefined): boolean => {
    if (input.kind !== undefined || kind !== 'subagent') return false
    const parent = parentOf()
    ids ??= new Set(found.artifacts.map(({ sessionId }) => sessionId))
    return parent !== undefined && ids.has(parent) && ++subagents > 0
  }
  if (names.length === 0) {
    if (input.all && !narrows(input) && (input.kind === undefined || kindsOf(input.kind) === 'all'))
      everything()
    else await named(undefined)
  }
  for (const [index, name] of names.entries()) {
    const path = paths[index]!
    // Use the listed artifact. The path of a database means all its sessions.
    const listed = found.artifacts.filter((each) => isAt(each, name, path) || each.database === path)
    for (const artifact of listed) take(artifact, startOf(artifact))
    if (listed.length > 0) continue
    if (isGiven[index]) {
      const artifact = givenFile(path)
      take(artifact, startOf(artifact))
      continue
    }
    const cited = await citedLine(name, wanted, context)
    if (cited) {
      for (const artifact of cited.artifacts) take(artifact, startOf(artifact), undefined, cited.line)
      continue
    }
    const sessions = isWholeId(name) ? await ofId(wanted, name, context) : undefined
    if (sessions) for (const artifact of sessions) take(artifact, startOf(artifact))
    else await named(name)
  }
  // A fork repeats the beginning of its original, which comes first.
  const rankOf = ({ artifact }: ReadTask): number =>
    artifact.fork !== undefined ? 2 : rowOf(artifact.path)?.session.forked ? 1 : 0
  const tasks = [...chosen.values()].sort(
    (a, b) =>
      Number(isCopy(a)) - Number(isCopy(b)) ||
      a.startMs - b.startMs ||
      rankOf(a) - rankOf(b) ||
      bestFirst(a, b) ||
      (a.artifact.path < b.artifact.path ? -1 : 1),
  )
  /**
   * Of copies of one session, the one that listings show comes first, and the others add what only they have.
   */
  function bestFirst(one: ReadTask, other: ReadTask): number {
    if (sessionIdentity(one.artifact) !== sessionIdentity(other.artifact)) return 0
    const [own, others] = [one, other].map(({ artifact }) => rowOf(artifact.path)?.session)
    return own && others ? Number(isBetter(others, own)) - Number(isBetter(own, others)) : 0
  }
  const ofOnes = withoutCopies(tasks)
  const limit = input.limit || ofOnes.length
  const shown = ofOnes.slice(-limit)
  const rows = shown.flatMap(({ artifact: { path } }) => rowOf(path) ?? [])
  noteUnknownForms(
    rows.map(({ session }) => session),
    context,
  )
  const lost = rows.filter((row) => !hasFile(row))
  if (!context.redact && lost.length > 0)
    context.note(
      `${counted(lost.length, 'session')} without a file ${lost.length === 1 ? 'is' : 'are'} read from the store, where secrets are redacted.`,
    )
  const artifacts = linked(
    shown.map(({ artifact }) => artifact),
    context,
  )
  return {
    tasks: shown.map(({ artifact: { path }, project = rowOf(path)?.project, line }, index) => ({
      artifact: artifacts[index]!,
      project,
      line,
    })),
    subagents,
  }

  /** A session that is in two places as it is, once, unless both places are named. */
  function withoutCopies<One extends ReadTask>(all: readonly One[]): One[] {
    const seen = new Set<string>()
    return all.filter(({ artifact }) => {
      const row = rowOf(artifact.path)?.session
      if (!row || paths.includes(artifact.path)) return true
      const { state, bytes } = artifact
      const content = [sessionIdentity(artifact), state, bytes, row.lines, row.lastActivityMs].join(' ')
      return seen.size < seen.add(content).size
    })
  }

  /** The store knows when a session began. Otherwise the first lines of the transcript state it. */
  function startOf(artifact: Artifact): number {
    const row = rowOf(artifact.path)?.session
    return row ? (row.startedMs ?? row.modifiedMs) : probeStart(artifact)
  }

  /** Some files state it in their records only. */
  function parentOf({ path, parentSessionId }: Artifact): string | undefined {
    return parentSessionId ?? rowOf(path)?.session.parentSessionId
  }

  function everything(): void {
    const span = spanOf(input, context)
    noteUnreadable(found, context)
    const runtimes = runtimeIds(found.artifacts)
    const isTwin = ({ platform, sessionId }: Artifact): boolean =>
      identityOf(platform).runsInside === true && runtimes.has(sessionId)
    for (const artifact of found.artifacts)
      if (
        artifact.modifiedMs >= span.since &&
        !isTwin(artifact) &&
        !aside(artifact.kindHint, () => parentOf(artifact))
      ) {
        const startMs = startOf(artifact)
        if (startMs <= span.until) take(artifact, startMs)
      }
  }

  async function named(name: string | undefined): Promise<void> {
    const loaded = loadSessions(input, context)
    const { sessions, by, nameOf } = await chooseNamed(loaded, { ...input, name }, context)
    const artifacts = new Map(found.artifacts.map((artifact) => [artifact.path, artifact]))
    const chosenIds = new Set(by === 'id' ? sessions.map(({ id }) => id) : [])
    for (const session of sessions)
      if (by === 'id' || !aside(session.kind, () => session.parentSessionId))
        take(artifacts.get(session.path)!, session.startedMs ?? session.modifiedMs, nameOf(session))
    // If one session is named, include the archived transcripts with its id.
    for (const artifact of found.artifacts)
      if (chosenIds.has(artifact.sessionId)) take(artifact, startOf(artifact))
  }
}

/** Whether a name is that of a file, not of a session or a project. */
const isGivenFile = (name: string, { directory }: Context): boolean =>
  isFile(resolve(directory, name)) && (isPath(name) || isTranscript(name))

/** Whether all names are transcripts outside of the roots, which the store does not contain. */
export function areForeign(names: readonly string[], context: Context): boolean {
  if (names.length === 0 || !names.every((name) => isGivenFile(name, context))) return false
  const listed = new Set(discover(context.environment).artifacts.map(({ path }) => path))
  return !names.some((name) => listed.has(resolve(context.directory, name)))
}

/**
 * Resolves a line of a transcript as search cites it: `640ab4c7:12`, or the file and the line. A line below 0
 * is one that the client has cut off the file. Several agents may have a session with one id. Undefined for
 * anything else.
 */
async function citedLine(
  name: string,
  artifacts: readonly Artifact[],
  context: Context,
): Promise<{ artifacts: Artifact[]; line: number } | undefined> {
  const [, base, digits] = /^(.+):(-?\d{1,9})$/s.exec(name) ?? []
  if (base === undefined) return undefined
  const line = Number(digits)
  const path = resolve(context.directory, base)
  const listed = artifacts.find((each) => isAt(each, base, path))
  if (listed) return { artifacts: [listed], line }
  if (isFile(path) && (isPath(base) || isTranscript(base))) return { artifacts: [givenFile(path)], line }
  const found = await ofId(artifacts, base, context)
  const ofAgents = Map.groupBy(found ?? [], ({ platform }) => platform).values()
  const bests = ofAgents.map((own) => own.find(({ state }) => state === 'live') ?? own[0]!).toArray()
  return bests.length > 0 ? { artifacts: bests, line } : undefined
}

/** Whether a file is meant, by its path or by that of another machine in a team store (`machine:path`). */
const isAt = (artifact: Artifact, name: string, path: string): boolean =>
  artifact.path === path || artifact.path === name

/** Copies come last, without the items of the sessions themselves. */
const isCopy = ({ artifact }: ReadTask): boolean => artifact.state === 'backup'

/**
 * What was discovered, and what the store still holds of files that are gone or cannot be read now. A session
 * that was moved is not gone: all of it is in another file.
 */
function withGone({ store, found }: FreshStore, platform: PlatformId | undefined): Discovery {
  const roots = new Set(found.roots.map((root) => root.path))
  const paths = new Set(found.artifacts.map((artifact) => artifact.path))
  let byIdentity: Map<string, Artifact> | undefined
  const isMoved = (artifact: Artifact): boolean => {
    byIdentity ??= new Map(found.artifacts.map((each) => [sessionIdentity(each), each]))
    const there = byIdentity.get(sessionIdentity(artifact))
    return (
      there?.state === artifact.state && store.countMessages(there.path) >= store.countMessages(artifact.path)
    )
  }
  const gone = [...store.known().values()].filter(
    ({ artifact, goneMs }) =>
      artifact.kind !== 'memory' &&
      (goneMs !== undefined || artifact.state === 'purged' || isUnseen(artifact.path, found)) &&
      roots.has(artifact.root) &&
      !paths.has(artifact.path) &&
      !isMoved(artifact),
  )
  const artifacts = [...found.artifacts, ...gone.map(({ artifact }) => artifact)]
  return {
    ...found,
    artifacts: artifacts.filter((artifact) => platform === undefined || artifact.platform === platform),
  }
}

/**
 * The transcripts of one session: its file, and archived ones with the same id. Undefined if no id begins
 * like this.
 */
async function ofId(
  artifacts: readonly Artifact[],
  name: string,
  context: Context,
): Promise<Artifact[] | undefined> {
  const begun = sessionsOfId(
    artifacts.map((artifact) => ({ id: artifact.sessionId, path: artifact.path, artifact })),
    name,
  )
  if (begun.length === 0) return undefined
  return (await pickSession(begun, name, context)).map(({ artifact }) => artifact)
}

const TRANSCRIPT = /\.jsonl(?:\.(?:reset|deleted)\.[^/\\]+|\.imported-\d+(?:\.\d+)?)?(?:\.zst)?$/

const isTranscript = (path: string): boolean => TRANSCRIPT.test(basename(path))

/** A transcript outside the usual roots. Its first record determines the platform. */
export function givenFile(path: string): Artifact {
  const name = basename(path)
  if (!TRANSCRIPT.test(name))
    throw new ScrollbackError(
      'bad-option',
      `${path} is not named like a transcript`,
      'Transcripts end in .jsonl; nothing else is opened.',
    )
  const stats = statSync(path)
  const { id: platform, files } = ownerOf(path)
  return {
    platform,
    root: dirname(path),
    path,
    kind: 'transcript' as const,
    sessionId: name.slice(0, name.indexOf('.jsonl')),
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    ...files.given!.facts(path),
  }
}

const HEAD = 64 * 1024

/** The platform of a transcript, by its name, or by the first record that only one platform writes. */
function ownerOf(path: string): Platform {
  const readable = platforms.filter(({ files }) => files.given)
  const byName = readable.find(({ files }) => files.given!.isOwnName?.(basename(path)))
  if (byName) return byName
  const source = openSource(path)
  try {
    const bytes = Buffer.allocUnsafe(HEAD)
    const head = bytes.toString('utf8', 0, source.read(bytes, 0, HEAD))
    for (const line of head.split('\n')) {
      const record = recordIn(line)
      const owner = record && readable.find(({ files }) => files.given!.isOwn(record))
      if (owner) return owner
    }
    return readable[0]!
  } finally {
    source.close()
  }
}

/** The record of a line. Of a truncated line, its type if that comes first. */
function recordIn(line: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(line))
  } catch {
    const type = /^\W*"type"\s*:\s*"([^"]+)"/.exec(line)?.[1]
    return type === undefined ? undefined : { type }
  }
}

/**
 * Finds a transcript by its path, its id, or a prefix of the id. Of several with the same id, the first live
 * one is taken.
 */
export function findTranscript(pathOrId: string, context: ReadingContext): Artifact {
  const found = discover(context.environment)
  noteUnreadable(found, context)
  const path = resolve(context.directory, pathOrId)
  const listed = found.artifacts.find((each) => each.path === path || each.path === pathOrId)
  if (listed) return listed
  if (isFile(path)) return givenFile(path)
  const all = found.artifacts.map((artifact) => ({ id: artifact.sessionId, artifact }))
  const begun = sessionsOfId(all, pathOrId)
  const ids = new Set(begun.map(({ id }) => id))
  if (ids.size === 0)
    throw new ScrollbackError(
      'no-session',
      `"${pathOrId}": no such transcript.${tooShort(all, pathOrId)}`,
      'Use a path, or the id of a session from findSessions().',
    )
  if (ids.size > 1)
    throw new ScrollbackError(
      'several-sessions',
      `"${pathOrId}" is ambiguous: ${ids.size} session ids begin with it: ${[...ids].slice(0, 5).join(', ')}`,
      'Use a longer part of the id.',
    )
  return (begun.find(({ artifact }) => artifact.state === 'live') ?? begun[0]!).artifact
}

/** The items in order. A large file is read in slices. Throws the system's error if it cannot be read. */
export function* tellTranscript(artifact: Artifact, { redact }: { redact: boolean }): Generator<Item> {
  const options = { redact } as const
  if (artifact.bytes <= LARGE) yield* readSession(artifact, options).items
  else for (const { items } of readSlices(artifact, options)) yield* items
}
