import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type Discovery, discover } from '../collect/discover.ts'
import { probeStart } from '../collect/probe.ts'
import { ScrollbackError } from '../errors.ts'
import { openSource } from '../io/source.ts'
import type { Artifact, PlatformId } from '../model/artifact.ts'
import { chooseProject } from './choose-project.ts'
import type { Context } from './command.ts'
import { type FreshStore, freshStore } from './fresh-store.ts'
import { loadSessions, noteUnreadable } from './load.ts'
import { type Filters, kindsOf, spanOf } from './options.ts'
import type { ReadTask } from './read-job.ts'
import { runtimeIds } from './session-runtimes.ts'

/** What is to be read, oldest first, and how many subagent transcripts were left aside. */
export interface Targets {
  tasks: ReadTask[]
  subagents: number
}

/** Ids are told apart by so many characters at least; anything shorter is a name. */
const SHORTEST_PREFIX = 4

/** Files, session ids or their beginnings, and names of projects, in any mixture. */
export async function resolveTargets(
  names: readonly string[],
  input: Filters,
  context: Context,
): Promise<Targets> {
  const chosen = new Map<string, ReadTask & { startMs: number }>()
  let subagents = 0
  const take = (artifact: Artifact, startMs: number, project?: string): void => {
    if (!chosen.has(artifact.path)) chosen.set(artifact.path, { artifact, project, startMs })
  }
  const paths = names.map((name) => resolve(context.directory, name))
  const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()
  // A file that is named is read as it is; anything else is looked for in the store.
  const fresh = names.length > 0 && paths.every(isFile) ? undefined : freshStore(context)
  const found = fresh ? withGone(fresh, input.platform) : discover(context.environment, input.platform)
  const aside = (kind: string | null | undefined): boolean =>
    input.kind === undefined && kind === 'subagent' && ++subagents > 0
  if (names.length === 0 && input.all) {
    const span = spanOf(input, context)
    const kinds = input.kind === undefined ? 'all' : kindsOf(input.kind)!
    if (kinds !== 'all') await project(undefined)
    else {
      noteUnreadable(found, context)
      const runtimes = runtimeIds(found.artifacts)
      const isTwin = ({ platform, sessionId }: Artifact): boolean =>
        platform === 'claude-code' && runtimes.has(sessionId)
      for (const artifact of found.artifacts)
        if (artifact.modifiedMs >= span.since && !isTwin(artifact) && !aside(artifact.kindHint)) {
          const startMs = probeStart(artifact)
          if (startMs <= span.until) take(artifact, startMs)
        }
    }
  } else if (names.length === 0) await project(undefined)
  for (const [index, name] of names.entries()) {
    const path = paths[index]!
    // As it is listed; a database stands for all its sessions.
    const listed = found.artifacts.filter((each) => each.path === path || each.database === path)
    for (const artifact of listed) take(artifact, probeStart(artifact))
    if (listed.length > 0) continue
    if (isFile(path)) {
      const artifact = givenFile(path)
      take(artifact, probeStart(artifact))
      continue
    }
    const sessions = await byId(found.artifacts, name, context)
    if (sessions) for (const artifact of sessions) take(artifact, probeStart(artifact))
    else await project(name)
  }
  const tasks = [...chosen.values()].sort(
    (a, b) => a.startMs - b.startMs || (a.artifact.path < b.artifact.path ? -1 : 1),
  )
  const limit = input.limit || tasks.length
  return {
    tasks: tasks.slice(-limit).map(({ artifact, project: name }) => ({ artifact, project: name })),
    subagents,
  }

  async function project(name: string | undefined): Promise<void> {
    const loaded = loadSessions(input, context)
    const { sessions, nameOf } = await chooseProject(loaded, name, input.all, context)
    const artifacts = new Map(found.artifacts.map((artifact) => [artifact.path, artifact]))
    for (const session of sessions)
      if (!aside(session.kind))
        take(artifacts.get(session.path)!, session.startedMs ?? session.modifiedMs, nameOf(session))
  }
}

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
async function byId(
  artifacts: readonly Artifact[],
  name: string,
  context: Context,
): Promise<Artifact[] | undefined> {
  if (name.length < SHORTEST_PREFIX) return undefined
  const exact = artifacts.filter((artifact) => artifact.sessionId === name)
  if (exact.length > 0) return exact
  const begun = artifacts.filter(
    (artifact) => artifact.sessionId.startsWith(name) || artifact.sessionId.startsWith(`agent-${name}`),
  )
  const ids = [...new Set(begun.map((artifact) => artifact.sessionId))]
  if (ids.length <= 1) return begun.length > 0 ? begun : undefined
  const options = ids.map((id) => ({ label: id, hint: begun.find((each) => each.sessionId === id)!.path }))
  const picked = await context.choose?.(`Which session is "${name}"?`, options)
  if (picked !== undefined) return begun.filter((artifact) => artifact.sessionId === ids[picked])
  throw new ScrollbackError(
    'several-sessions',
    `"${name}" begins ${ids.length} session ids:\n${options.map((option) => `  ${option.label}  ${option.hint}`).join('\n')}`,
    'Give more of the id.',
  )
}

const TRANSCRIPT = /\.jsonl(?:\.(?:reset|deleted)\.[^/\\]+|\.imported-\d+(?:\.\d+)?)?(?:\.zst)?$/

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
