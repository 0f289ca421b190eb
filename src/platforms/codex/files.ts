import { basename, dirname, join } from 'node:path'
import {
  directoryOrHome,
  fileInside,
  isFolder,
  isPlainFolder,
  listDirectory,
  NO_LINKS,
} from '../../io/directories.ts'
import { companionText, openSource, readFully } from '../../io/source.ts'
import type { Artifact, Environment, Notice, Refusal, Root, SideQuestion } from '../../model/artifact.ts'
import { asObject, asText, parsedJson } from '../../model/json.ts'
import { finderIn, memoryDocument, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
import { codexIdentity } from './identity.ts'
import { queuedIn, queueOf, UNPACKED_QUEUE, unknownOf, unpackedQueue } from './queue-statements.ts'

const { id: platform, defaultAgent: agent, folder } = codexIdentity

/** The home directories of Codex, including those that do not exist. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map((path) => [directoryOrHome(ownerOf(path), folder, hasSessions), '--codex-dir'] as const),
    )
  const variable = variables.CODEX_HOME?.trim()
  return rootsAt(
    platform,
    variable ? [[withHome(variable, home), 'CODEX_HOME']] : [[join(home, folder), 'default']],
  )
}

/** The folder of the client, also where its folder of sessions is given. */
const ownerOf = (path: string): string =>
  basename(path) === 'sessions' && !hasSessions(path) ? dirname(path) : path

const hasSessions = (path: string): boolean => isFolder(join(path, 'sessions'))

const NEVER: Reasons = [
  [/^(?:auth|\.credentials|mcp-auth)\.json$/, 'keys of your account'],
  [/^config\.toml$/, 'may contain keys'],
  [/^installation_id$/, 'identifies your installation'],
  [/^(?:log|logs_\d+\.sqlite.*)$/, 'logs that contain tokens'],
  [/^shell_snapshots$/, 'environment variables'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

/**
 * `rollout-<local time>-<thread>.jsonl`, or `….jsonl.zst` when the client has compressed it. After a turn was
 * taken back, a further file continues the thread: `rollout-<local time>-<thread>_<segment>.jsonl`.
 */
const ROLLOUT =
  /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?:_([0-9a-f-]{36}))?\.jsonl(\.zst)?$/i

/** The id of the session in a file: that of the thread, or of the file that continues one. */
export const sessionIdIn = (name: string): string | undefined => {
  const [, thread, segment] = ROLLOUT.exec(name) ?? []
  return segment ?? thread
}

const PART = /^\d{2,4}$/

/** The allow-list: rollouts in `sessions/YYYY/MM/DD/` and in `archived_sessions/`. Links are not followed. */
export function discover(from: Root, environment: Environment): Found {
  const { path: root } = from
  const { found, list, folders, add } = finderIn(from, environment)
  const names = threadNames(root)
  const waiting = waitingSince(root, found.notices)
  for (const year of parts(join(root, 'sessions')))
    for (const month of parts(year)) for (const day of parts(month)) rollouts(day, 'live')
  rollouts(join(root, 'archived_sessions'), 'archived')
  markUndone(found.artifacts)
  return found

  function parts(path: string): string[] {
    return folders(path).flatMap((name) => (PART.test(name) ? [join(path, name)] : []))
  }

  function rollouts(path: string, state: 'live' | 'archived'): void {
    const entries = list(path)
    const present = new Set(entries.map(({ name }) => name))
    for (const { name } of entries) {
      const sessionId = sessionIdIn(name)
      // If both exist, the plain one is newer.
      if (sessionId === undefined || (name.endsWith('.zst') && present.has(name.slice(0, -'.zst'.length))))
        continue
      const title = names.get(sessionId) ?? names.get(ROLLOUT.exec(name)![1]!)
      const named = title === undefined ? {} : { titleHint: title, titleHintByHand: true }
      add(path, name, { agent, state, sessionId, besideMs: waiting.get(sessionId), ...named })
    }
  }
}

/** The rollouts of a root, below it. Links are not followed. */
export function rolloutsIn(root: string): string[] {
  const folders = (below: string): string[] =>
    isPlainFolder(join(root, below))
      ? listDirectory(join(root, below)).entries.flatMap((entry) =>
          entry.isDirectory() && PART.test(entry.name) ? [`${below}/${entry.name}`] : [],
        )
      : []
  const days = folders('sessions').flatMap(folders).flatMap(folders)
  return [...days, 'archived_sessions'].flatMap((below) =>
    isPlainFolder(join(root, below))
      ? listDirectory(join(root, below)).entries.flatMap((entry) =>
          entry.isFile() && sessionIdIn(entry.name) !== undefined ? [`${below}/${entry.name}`] : [],
        )
      : [],
  )
}

/** What the client has learned from threads (`memories/`): all of it, and a summary of each thread. */
export function documents(root: Root): Artifact[] {
  const memories = join(root.path, MEMORIES)
  const found = (below: string, names: RegExp): Artifact[] => {
    const folder = join(memories, below)
    if (!isPlainFolder(memories) || !isPlainFolder(folder)) return []
    return listDirectory(folder).entries.flatMap(({ name }) => {
      const path = join(folder, name)
      const stats = names.test(name) ? fileInside(folder, path, NO_LINKS) : undefined
      return stats ? [memoryDocument(root, path, stats, { sessionId: join(below, name), agent })] : []
    })
  }
  return [
    ...found('', /^(?:MEMORY|memory_summary|raw_memories)\.md$/),
    ...found('rollout_summaries', /^[^./][^/]*\.md$/),
  ]
}

const MEMORIES = 'memories'
/** How the summary of a thread begins. */
const THREAD = /^thread_id: *([\da-f-]{36}) *$/m
/** Larger files are not memory documents. */
const LARGEST_DOCUMENT = 4 * 1024 * 1024

/** The thread that a document is a summary of. */
export const threadIn = (text: string): string | undefined => THREAD.exec(text)?.[1]

export const summarizedThread = ({ path }: Artifact): string | undefined =>
  basename(dirname(path)) === 'rollout_summaries' && fileInside(dirname(path), path, NO_LINKS)
    ? threadIn(companionText(path, LARGEST_DOCUMENT))
    : undefined

/** When the prompts that wait for each thread last changed. */
function waitingSince(root: string, notices: Notice[]): ReadonlyMap<string, number> {
  const since = new Map<string, number>()
  const queue = queueOf(root)
  const path = queue ?? join(root, UNPACKED_QUEUE)
  try {
    for (const { thread, updated } of queue === undefined ? unpackedQueue(root) : queuedIn(queue))
      since.set(thread, Math.max(since.get(thread) ?? 0, updated))
    const message = queue === undefined ? undefined : unknownOf(queue)
    if (message !== undefined) notices.push({ platform, path, message })
  } catch (error) {
    notices.push({ platform, path, message: `cannot be read (${(error as Error).message})` })
  }
  return since
}

/** Adds the prompts that wait for their turn in a thread. */
export function describe(artifact: Artifact): Artifact {
  const { besideMs, root, sessionId } = artifact
  if (besideMs === undefined) return artifact
  try {
    const queue = queueOf(root)
    const sideQuestions = (queue === undefined ? unpackedQueue(root) : queuedIn(queue))
      .filter(({ thread, text }) => thread === sessionId && text.trim() !== '')
      .map(
        ({ created: at, text }): SideQuestion => ({
          at,
          text,
          label: 'waiting',
          ...(queue === undefined && { mayBeTaken: true }),
        }),
      )
    return sideQuestions.length === 0 ? artifact : { ...artifact, sideQuestions }
  } catch {
    // Discovery has reported it.
    return artifact
  }
}

const FIRST_ORDINAL = /^\{"timestamp":"[^"]*","ordinal":(\d+),/

/** A file that continues a thread begins with the number of the first record that was taken back before. */
function markUndone(artifacts: readonly Artifact[]): void {
  const threads = new Map<string, { segment: string; artifact: Artifact }[]>()
  for (const artifact of artifacts) {
    const [, thread = '', segment = ''] = ROLLOUT.exec(basename(artifact.path)) ?? []
    threads.set(thread, [...(threads.get(thread) ?? []), { segment, artifact }])
  }
  for (const files of threads.values())
    for (const { segment, artifact } of files) {
      const first = segment === '' ? undefined : firstOrdinal(artifact.path)
      if (first === undefined) continue
      // The ids of segments begin with their time.
      for (const earlier of files)
        if (earlier.segment < segment)
          earlier.artifact.undoneFrom = Math.min(earlier.artifact.undoneFrom ?? first, first)
    }
}

function firstOrdinal(path: string): number | undefined {
  try {
    const source = openSource(path)
    try {
      const found = FIRST_ORDINAL.exec(readFully(source, 200).toString('utf8'))?.[1]
      return found === undefined ? undefined : Number(found)
    } finally {
      source.close()
    }
  } catch {
    return undefined
  }
}

/** The names that people gave to threads. The last one counts. */
function threadNames(root: string): ReadonlyMap<string, string> {
  const path = join(root, 'session_index.jsonl')
  const names = new Map<string, string>()
  if (!fileInside(root, path, NO_LINKS)) return names
  for (const line of companionText(path, LARGEST).split('\n')) {
    const entry = asObject(parsedJson(line))
    const [id, name] = [asText(entry?.id), asText(entry?.thread_name)]
    if (id && name) names.set(id, name)
  }
  return names
}

/** Larger files are not the client's: an entry takes a hundred bytes. */
const LARGEST = 16 * 1024 * 1024

const TYPES = /^(?:session_meta|response_item|event_msg|turn_context|world_state|token_usage_record)$/

/** A rollout outside of the roots. */
export const given: GivenFile = {
  isOwn: ({ type, ...record }) =>
    typeof type === 'string'
      ? TYPES.test(type)
      : 'instructions' in record && 'timestamp' in record && 'id' in record,
  isOwnName: (name) => ROLLOUT.test(name),
  facts: (path) => ({
    agent,
    state: /[/\\]archived_sessions[/\\][^/\\]+$/.test(path) ? 'archived' : 'live',
  }),
}
