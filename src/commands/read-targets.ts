import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type Discovery, discover } from '../collect/discover.ts'
import { probeStart } from '../collect/probe.ts'
import { ScrollbackError } from '../errors.ts'
import { openSource } from '../io/source.ts'
import type { Artifact, PlatformId } from '../model/artifact.ts'
import { chooseNamed, isPath } from './choose-sessions.ts'
import type { Context } from './command.ts'
import { type FreshStore, freshStore } from './fresh-store.ts'
import { loadSessions, noteUnreadable } from './load.ts'
import { type Filters, kindsOf, narrows, spanOf } from './options.ts'
import type { ReadTask } from './read-job.ts'
import { pickSession, sessionsOfId } from './session-ids.ts'
import { runtimeIds } from './session-runtimes.ts'

/** What is to be read, oldest first, and how many subagent transcripts were left aside. */
export interface Targets {
  tasks: ReadTask[]
  subagents: number
}

/** Files, session ids or their beginnings, `latest`, and names of projects and agents, in any mixture. */
export async function resolveTargets(
  names: readonly string[],
  input: Filters,
  context: Context,
): Promise<Targets> {
  const chosen = new Map<string, ReadTask & { startMs: number }>()
  let subagents = 0
  const take = (artifact: Artifact, startMs: number, project?: string, line?: number): void => {
    if (!chosen.has(artifact.path)) chosen.set(artifact.path, { artifact, project, startMs, line })
  }
  const paths = names.map((name) => resolve(context.directory, name))
  const isGiven = names.map((name, index) => isFile(paths[index]!) && (isPath(name) || isTranscript(name)))
  // A file that is named is read as it is; anything else is looked for in the store.
  const isAlone = names.length > 0 && isGiven.every((given) => given)
  const fresh = isAlone ? undefined : freshStore(context)
  const found = fresh ? withGone(fresh, input.platform) : discover(context.environment, input.platform)
  const aside = (kind: string | null | undefined): boolean =>
    input.kind === undefined && kind === 'subagent' && ++subagents > 0
  if (names.length === 0) {
    if (input.all && !narrows(input) && (input.kind === undefined || kindsOf(input.kind) === 'all'))
      everything()
    else await named(undefined)
  }
  for (const [index, name] of names.entries()) {
    const path = paths[index]!
    // As it is listed; a database stands for all its sessions.
    const listed = found.artifacts.filter((each) => each.path === path || each.database === path)
    for (const artifact of listed) take(artifact, probeStart(artifact))
    if (listed.length > 0) continue
    if (isGiven[index]) {
      const artifact = givenFile(path)
      take(artifact, probeStart(artifact))
      continue
    }
    const place = await placeOf(name, found.artifacts, context)
    if (place) {
      take(place.artifact, probeStart(place.artifact), undefined, place.line)
      continue
    }
    const sessions = isWholeId(name) ? await ofId(found.artifacts, name, context) : undefined
    if (sessions) for (const artifact of sessions) take(artifact, probeStart(artifact))
    else await named(name)
  }
  const tasks = [...chosen.values()].sort(
    (a, b) =>
      Number(isCopy(a)) - Number(isCopy(b)) ||
      a.startMs - b.startMs ||
      (a.artifact.path < b.artifact.path ? -1 : 1),
  )
  const limit = input.limit || tasks.length
  return {
    tasks: tasks.slice(-limit).map(({ artifact, project, line }) => ({ artifact, project, line })),
    subagents,
  }

  function everything(): void {
    const span = spanOf(input, context)
    noteUnreadable(found, context)
    const runtimes = runtimeIds(found.artifacts)
    const isTwin = ({ platform, sessionId }: Artifact): boolean =>
      platform === 'claude-code' && runtimes.has(sessionId)
    // What is stored tells when a session began; of a transcript itself only its first lines are looked at.
    const starts = new Map(
      fresh?.store.sessions().map(({ session }) => [session.path, session.startedMs ?? session.modifiedMs]),
    )
    for (const artifact of found.artifacts)
      if (artifact.modifiedMs >= span.since && !isTwin(artifact) && !aside(artifact.kindHint)) {
        const startMs = starts.get(artifact.path) ?? probeStart(artifact)
        if (startMs <= span.until) take(artifact, startMs)
      }
  }

  async function named(name: string | undefined): Promise<void> {
    const loaded = loadSessions(input, context)
    const { sessions, by, nameOf } = await chooseNamed(loaded, { ...input, name }, context)
    const artifacts = new Map(found.artifacts.map((artifact) => [artifact.path, artifact]))
    const ids = new Set(by === 'id' ? sessions.map(({ id }) => id) : [])
    for (const session of sessions)
      if (by === 'id' || !aside(session.kind))
        take(artifacts.get(session.path)!, session.startedMs ?? session.modifiedMs, nameOf(session))
    // Of one session that is named, archives of its id too.
    for (const artifact of found.artifacts)
      if (ids.has(artifact.sessionId)) take(artifact, probeStart(artifact))
  }
}

/** A line of a transcript, as search names it: `640ab4c7:12`, or its file and the line. Undefined for anything else. */
async function placeOf(
  name: string,
  artifacts: readonly Artifact[],
  context: Context,
): Promise<{ artifact: Artifact; line: number } | undefined> {
  const [, base, digits] = /^(.+):(\d{1,9})$/s.exec(name) ?? []
  if (base === undefined) return undefined
  const line = Number(digits)
  const path = resolve(context.directory, base)
  const listed = artifacts.find((each) => each.path === path)
  if (listed) return { artifact: listed, line }
  if (isFile(path) && (isPath(base) || isTranscript(base))) return { artifact: givenFile(path), line }
  const found = await ofId(artifacts, base, context)
  const artifact = found?.find(({ state }) => state === 'live') ?? found?.[0]
  return artifact && { artifact, line }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Long enough that no name of a project is meant: then no index is needed to tell. */
const isWholeId = (name: string): boolean => /^(?:agent-)?[0-9a-f]{8}[0-9a-f-]*$/.test(name)

/** Copies are told last, without what the sessions themselves tell. */
const isCopy = ({ artifact }: ReadTask): boolean => artifact.state === 'backup'

/** What was found, and what the store still holds of files that are gone. */
function withGone({ store, found }: FreshStore, platform: PlatformId | undefined): Discovery {
  const roots = new Set(found.roots.map((root) => root.path))
  const paths = new Set(found.artifacts.map((artifact) => artifact.path))
  const gone = [...store.known().values()].filter(
    ({ artifact, goneMs }) =>
      artifact.kind !== 'memory' &&
      (goneMs !== undefined || artifact.state === 'purged') &&
      roots.has(artifact.root) &&
      !paths.has(artifact.path),
  )
  const artifacts = [...found.artifacts, ...gone.map(({ artifact }) => artifact)]
  return {
    ...found,
    artifacts: artifacts.filter((artifact) => platform === undefined || artifact.platform === platform),
  }
}

/** The transcripts of one session: its file, and archives of the same id. Undefined when no id begins so. */
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

/** A transcript that lies outside the usual places. Its first record tells whose it is. */
export function givenFile(path: string): Artifact {
  const name = basename(path)
  if (!TRANSCRIPT.test(name))
    throw new ScrollbackError(
      'bad-option',
      `${path} is not named like a transcript`,
      'Transcripts end in .jsonl; nothing else is opened.',
    )
  const stats = statSync(path)
  const fork = /^agent-a([a-z_]+)-[0-9a-f]+\.jsonl$/.exec(name)?.[1]
  const common = {
    root: dirname(path),
    path,
    kind: 'transcript' as const,
    sessionId: name.slice(0, name.indexOf('.jsonl')),
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
  }
  if (looksLikeOpenclaw(path)) {
    const state = name.includes('.deleted.')
      ? 'deleted'
      : name.includes('.reset.')
        ? 'reset'
        : name.includes('.imported-')
          ? 'archived'
          : 'live'
    return { ...common, platform: 'openclaw', agent: agentIn(path), state }
  }
  const subagent = name.startsWith('agent-') ? { kindHint: 'subagent' as const, fork } : {}
  return { ...common, platform: 'claude-code', agent: 'claude', state: 'live', ...subagent }
}

const agentIn = (path: string): string => /[/\\]agents[/\\]([^/\\]+)[/\\]/.exec(path)?.[1] ?? 'main'

/** Types of record that only OpenClaw writes, and those that only Claude Code writes. */
const OPENCLAW_TYPES =
  /^(?:session|message|model_change|thinking_level_change|compaction|custom|custom_message|leaf|reset)$/
const CLAUDE_TYPES =
  /^(?:user|assistant|system|summary|progress|attachment|queue-operation|file-history-snapshot)$/
const HEAD = 64 * 1024

/** Whose transcript it is, told by the first record whose type says so. */
function looksLikeOpenclaw(path: string): boolean {
  if (path.endsWith('.zst')) return true
  const source = openSource(path)
  try {
    const bytes = Buffer.allocUnsafe(HEAD)
    const head = bytes.toString('utf8', 0, source.read(bytes, 0, HEAD))
    for (const line of head.split('\n')) {
      const type = typeOf(line)
      if (type === undefined) continue
      if (OPENCLAW_TYPES.test(type)) return true
      if (CLAUDE_TYPES.test(type)) return false
    }
    return false
  } finally {
    source.close()
  }
}

/** The type of a record; of one that is too long to be seen whole, only where it stands first. */
function typeOf(line: string): string | undefined {
  try {
    const { type } = JSON.parse(line) as { type?: unknown }
    return typeof type === 'string' ? type : undefined
  } catch {
    return /^\W*"type"\s*:\s*"([^"]+)"/.exec(line)?.[1]
  }
}
