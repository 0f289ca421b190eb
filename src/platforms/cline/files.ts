import { basename, dirname, join } from 'node:path'
import { fileInside, identityOf, isFolder, listDirectory, NO_LINKS } from '../../io/directories.ts'
import type { SeekableSource } from '../../io/source.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { largest } from '../../model/iteration.ts'
import { asArray, asNumber, asObject, asText, asTime, type JsonObject } from '../../model/json.ts'
import { damagedSource, documentAt, sourceOfLines } from '../documents.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found } from '../platform.ts'
import { clineIdentity } from './identity.ts'
import { isAnswer } from './records/tools.ts'

const { id: platform, defaultAgent: agent, folder } = clineIdentity

const SESSIONS = 'sessions'
const ONLY_SESSIONS = 'CLINE_SESSION_DATA_DIR'

/** The data folder of Cline, or the folder of the sessions alone that a variable names. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map((path) => [dataFolder(path), '--cline-dir'] as const),
    )
  const [sessions, data, own] = [ONLY_SESSIONS, 'CLINE_DATA_DIR', 'CLINE_DIR'].map((name) => {
    const named = variables[name]?.trim()
    return named ? withHome(named, home) : undefined
  })
  if (sessions) return rootsAt(platform, [[sessions, ONLY_SESSIONS]])
  if (data) return rootsAt(platform, [[data, 'CLINE_DATA_DIR']])
  return rootsAt(
    platform,
    own ? [[join(own, basename(folder)), 'CLINE_DIR']] : [[join(home, folder), 'default']],
  )
}

/** The data folder, where a home directory or the client's own one was given. */
const dataFolder = (path: string): string =>
  [folder, basename(folder)].map((name) => join(path, name)).find((each) => isFolder(join(each, SESSIONS))) ??
  path

const NEVER: Reasons = [
  [/^settings$/, 'keys of your accounts'],
  [/^secrets\.json/, 'keys of your accounts'],
  [/^db$/, 'databases that repeat the sessions, and keys of connections'],
  [/^(?:locks|logs)$/, 'logs that may contain tokens'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

const SESSION = /^\d+_\w+$/
/** A subagent, or a task of a teammate. */
const SUBAGENT = /^(agent_\w+|[\w.-]+__[\w-]{6})\.messages\.json$/
/** The name of a teammate, and the id of its task. */
const TEAMMATE = /^(?!agent_)([\w.-]+)__[\w-]{6}$/
/** How the client begins the id of a task of a teammate. */
const TASK = 'teamtask__'

/** The documents of a session, by the folder that has its name. */
const documentsOf = (own: string) => {
  const name = join(own, basename(own))
  return {
    manifest: `${name}.json`,
    messages: `${name}.messages.json`,
    compaction: `${name}.compaction.json`,
  }
}

/**
 * The allow-list: the conversation of a session in a folder with its name, and those of its subagents and
 * teammates. Each is a document that the client writes again at each step.
 */
export function discover(from: Root, environment: Environment): Found {
  const { found, list, folders, add } = finderIn(from, environment)
  const sessions = isFolder(join(from.path, SESSIONS)) ? join(from.path, SESSIONS) : from.path
  for (const sessionId of folders(sessions)) {
    if (!SESSION.test(sessionId)) continue
    const own = join(sessions, sessionId)
    const { messages } = documentsOf(own)
    for (const { name } of list(own)) {
      const subagent = (SUBAGENT.exec(name) ?? UNPACKED.exec(name))?.[1]
      if (name === basename(messages) || name === `${sessionId}.jsonl`) document(own, name, { sessionId })
      else if (subagent !== undefined) {
        const teammate = TEAMMATE.exec(subagent)?.[1]
        document(own, name, {
          sessionId: `${sessionId}__${teammate === undefined ? '' : TASK}${subagent}`,
          kindHint: 'subagent',
          parentSessionId: sessionId,
          ...(teammate !== undefined && { subagent: { type: teammate } }),
        })
      }
    }
  }
  return found

  function document(own: string, name: string, facts: Pick<Artifact, 'sessionId'> & Partial<Artifact>): void {
    const artifact = add(own, name, { agent, ...facts })
    if (!artifact || name.endsWith('.jsonl')) return
    const { manifest, compaction } = documentsOf(own)
    const beside = [manifest, compaction].flatMap((path) => fileInside(own, path, NO_LINKS) ?? [])
    const state = [
      ...beside.map((stats) => `${identityOf(stats)} ${stats.mtimeMs} ${stats.size}`),
      // What a conversation with a teammate goes on from does not change any more, but may go.
      ...tasksBeside(own, name).flatMap((path) => {
        const stats = fileInside(own, path, NO_LINKS)
        return stats && stats.mtimeMs < artifact.modifiedMs ? identityOf(stats) : []
      }),
    ]
    // A document is written again at each step, so that every change begins a new reading.
    const { identity, modifiedMs, bytes } = artifact
    Object.assign(artifact, {
      database: own,
      identity: `${identity}#${modifiedMs} ${bytes} ${state.join(' ')}`.trimEnd(),
      modifiedMs: largest(
        beside.map(({ mtimeMs }) => mtimeMs),
        modifiedMs,
      ),
    })
  }
}

/** A subagent that was unpacked from an archive. */
const UNPACKED = /^(agent_\w+|[\w.-]+__[\w-]{6})\.jsonl$/

/** The documents of the other tasks of a teammate. Empty for anything else. */
function tasksBeside(own: string, name: string): string[] {
  const teammateOf = (each: string): string | undefined => TEAMMATE.exec(SUBAGENT.exec(each)?.[1] ?? '')?.[1]
  const teammate = teammateOf(name)
  if (teammate === undefined) return []
  return listDirectory(own).entries.flatMap((entry) =>
    entry.name !== name && teammateOf(entry.name) === teammate ? [join(own, entry.name)] : [],
  )
}

/**
 * A task that continues the conversation of another one begins with a copy of that. The time of the first
 * message that is no copy, if there are copies.
 */
function ownSince(path: string, messages: readonly unknown[]): number | undefined {
  const idOf = (message: unknown): string | undefined => asText(asObject(message)?.id)
  const ids = messages.map(idOf)
  let copied = 0
  for (const other of tasksBeside(dirname(path), basename(path))) {
    const before = (asArray(objectAt(other)?.messages) ?? []).map(idOf)
    const isCopied =
      before.length < ids.length && before.every((id, at) => id !== undefined && id === ids[at])
    if (isCopied) copied = Math.max(copied, before.length)
  }
  return copied > 0 ? asTime(asObject(messages[copied])?.ts) : undefined
}

/** The lines of a session: what its manifest says, its messages, and a compaction where it was made. */
export function open(artifact: Artifact): SeekableSource | undefined {
  const { path, database, kindHint } = artifact
  if (database === undefined) return undefined
  const { document, bytes } = documentAt(path)
  const stored = asArray(document?.messages)
  if (!document || !stored) return damagedSource(bytes, artifact)
  const isSubagent = kindHint === 'subagent'
  const manifest = objectAt(documentsOf(database).manifest)
  const messages = manifest?.interactive === false ? stored.map(unattended) : stored
  const summary = isSubagent ? undefined : objectAt(documentsOf(database).compaction)
  const at = asNumber(summary?.source_message_count) ?? messages.length
  const since = isSubagent ? ownSince(path, messages) : undefined
  const header = headerOf(document, manifest, isSubagent)
  const lines = [since === undefined ? header : { ...header, since }, ...messages.slice(0, at)]
  const [compaction] = asArray(summary?.messages) ?? []
  if (compaction !== undefined)
    lines.push({ type: 'compaction', ...asObject(asObject(compaction)?.metadata) })
  return sourceOfLines([...lines, ...messages.slice(at)], artifact)
}

/** A message that answers a question of the agent where nobody could: the client took the first option. */
function unattended(message: unknown): unknown {
  const parts = (asArray(asObject(message)?.content) ?? []).map((part) => asObject(part) ?? {})
  return parts.some(isAnswer) ? { ...asObject(message), isUnattended: true } : message
}

/** A document next to the conversation. A damaged one is as good as none. */
function objectAt(path: string): JsonObject | undefined {
  return fileInside(dirname(path), path, NO_LINKS) ? documentAt(path).document : undefined
}

/** What is needed of a manifest, without the system prompt that it may repeat. */
function headerOf(
  { origin, version }: JsonObject,
  manifest: JsonObject | undefined,
  isSubagent: boolean,
): JsonObject {
  const metadata = asObject(manifest?.metadata)
  const fork = asObject(metadata?.fork)
  const common = {
    type: 'session',
    cwd: manifest?.cwd,
    branch: asObject(metadata?.git)?.branch,
    version: asObject(origin)?.version,
    form: version,
  }
  if (isSubagent) return common
  return {
    ...common,
    started: asTime(manifest?.started_at),
    model: manifest?.model,
    prompt: manifest?.prompt,
    firstPrompt: metadata?.prompt,
    title: metadata?.title,
    forkedFrom: fork?.forkedFromSessionId,
    forked: asTime(fork?.forkedAt),
  }
}
