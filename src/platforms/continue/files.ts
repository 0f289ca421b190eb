import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileInside, identityOf, isFolder, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { companionText, type SeekableSource } from '../../io/source.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { asArray, asNumber, asObject, asText, type JsonObject, parsedJson } from '../../model/json.ts'
import { damagedSource, documentAt, sourceOfLines } from '../documents.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found } from '../platform.ts'
import { ownUsage } from './copies.ts'
import { continueIdentity } from './identity.ts'

const { id: platform, defaultAgent: agent, folder } = continueIdentity

/** The folder of Continue. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map(
        (path) => [isFolder(join(path, folder)) ? join(path, folder) : path, '--continue-dir'] as const,
      ),
    )
  const own = variables.CONTINUE_GLOBAL_DIR?.trim()
  return rootsAt(
    platform,
    own ? [[withHome(own, home), 'CONTINUE_GLOBAL_DIR']] : [[join(home, folder), 'default']],
  )
}

const NEVER: Reasons = [
  [/^(?:config\.(?:yaml|json|ts)|auth\.json|settings\.json)/, 'settings, which may contain keys'],
  [/^\.env/, 'keys'],
  [/^permissions\.yaml$/, 'settings, which may contain keys'],
  [/^logs$/, 'logs that may contain tokens'],
  [/^(?:index|dev_data)$/, 'copies of files and of sessions'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

const UUID = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl?$/i
const UUID_LENGTH = 36
/** The list of the sessions, which alone says when each was begun. */
const INDEX = 'sessions.json'

/** The allow-list: the documents of sessions, each of which is written again after each reply. */
export function discover(from: Root, environment: Environment): Found {
  const { found, list, add } = finderIn(from, environment)
  const sessions = join(from.path, 'sessions')
  const begun = begunIn(sessions)
  for (const { name } of list(sessions)) {
    const sessionId = UUID.exec(name)?.[1]
    const artifact = sessionId && add(sessions, name, { agent, sessionId })
    if (!artifact || !name.endsWith('.json')) continue
    const { identity, modifiedMs, bytes } = artifact
    // The list may be written later than the document.
    const state = `${identity}#${modifiedMs} ${bytes} ${begun.get(sessionId) ?? ''}`.trimEnd()
    Object.assign(artifact, { database: sessions, identity: state })
  }
  return found
}

/**
 * The lines of a session: what it says of itself, its history, and what it used beyond that. A fork begins
 * with a copy of another session and does not say so. Its total does: it begins anew. Which session that is,
 * its own folder tells.
 */
export function open(artifact: Artifact): SeekableSource | undefined {
  const { path, database, sessionId } = artifact
  if (database === undefined) return undefined
  const { document, bytes } = documentAt(path)
  const history = asArray(document?.history)
  if (!document || !history) return damagedSource(bytes, artifact)
  const { copied, further } = ownUsage(history, asObject(document.usage))
  const original = copied > 0 ? originalOf(database, sessionId, history.slice(0, copied)) : undefined
  const shared = sharedIds(history, document.workspaceDirectory)
  // Only the total has the cost: each reply has it in whole cents.
  const paid = asNumber(asObject(document.usage)?.totalCost) ?? 0
  const isPaid = history.map((entry, index) => paid > 0 && index >= copied && hasUsage(entry))
  const last = isPaid.lastIndexOf(true)
  const { history: _, ...own } = document
  const header = {
    type: 'session',
    ...own,
    created: begunIn(database).get(sessionId),
    // As long as an id: what follows stays where it is when the original comes or goes.
    ...(copied > 0 && { isFork: true, forkOf: original ?? ' '.repeat(UUID_LENGTH) }),
  }
  return sourceOfLines(
    [
      header,
      ...history.map((value, index) => {
        const entry = asObject(value)
        if (!entry) return value
        return {
          ...entry,
          shared: shared[index],
          ...(index < copied && { isCopy: true }),
          ...(isPaid[index] && { cost: index === last ? paid : 0 }),
        }
      }),
      ...(further
        ? [{ type: 'further-usage', usage: further, ...(last < 0 && paid > 0 && { cost: paid }) }]
        : []),
    ],
    artifact,
  )
}

/** Larger files are not the client's. */
const LARGEST = 64 * 1024 * 1024

type Begun = ReadonlyMap<string, number>

/** The last result, by path of the list: each session asks for it. */
const lists = new Map<string, { state: string; begun: Begun }>()

/** When each session was begun, in ms, as the list says. Empty if it cannot be read. */
function begunIn(sessions: string): Begun {
  const path = join(sessions, INDEX)
  const stats = fileInside(sessions, path, NO_LINKS)
  if (!stats) return new Map()
  const state = `${identityOf(stats)} ${stats.mtimeMs} ${stats.size}`
  const known = lists.get(path)
  if (known?.state === state) return known.begun
  const begun = new Map<string, number>()
  const list = parsedJson(companionText(path, LARGEST))
  // An archive has the entries by their sessions.
  for (const each of asArray(list) ?? Object.values(asObject(list) ?? {})) {
    const entry = asObject(each)
    const [id, created] = [asText(entry?.sessionId), createdOf(entry)]
    if (id !== undefined && created !== undefined && !begun.has(id)) begun.set(id, created)
  }
  lists.set(path, { state, begun })
  return begun
}

/** When a session was begun, in ms, as its entry in the list says. */
export function createdOf(entry: JsonObject | undefined): number | undefined {
  const stated = entry?.dateCreated
  return typeof stated === 'string' ? Number(stated) || undefined : asNumber(stated)
}

/** The session that begins with the same words, if there is one. */
function originalOf(sessions: string, id: string, copied: readonly unknown[]): string | undefined {
  const wanted = copied.map(wordsOf).join('\n')
  for (const { name } of listDirectory(sessions).entries) {
    const other = UUID.exec(name)?.[1]
    const path = join(sessions, name)
    if (other === undefined || other === id || !name.endsWith('.json')) continue
    if (!fileInside(dirname(path), path, NO_LINKS)) continue
    const history = asArray(asObject(parsedJson(companionText(path, LARGEST)))?.history) ?? []
    if (history.slice(0, copied.length).map(wordsOf).join('\n') === wanted) return other
  }
  return undefined
}

/**
 * What identifies entries in forks as well, because they have neither ids nor times: the conversation up to
 * the reply that follows, with the tokens that this used. Without such a reply, there is none.
 */
function sharedIds(history: readonly unknown[], folder: unknown): (string | undefined)[] {
  const before = createHash('sha1').update(JSON.stringify(folder ?? ''))
  const ids: (string | undefined)[] = []
  const words = history.map(wordsOf)
  const isEnd = history.map(hasUsage)
  for (let from = 0; from < history.length; ) {
    const end = isEnd.indexOf(true, from)
    if (end < 0) break
    for (const each of words.slice(from, end + 1)) before.update(each)
    const digest = before.copy().digest('base64url')
    for (; from <= end; from++) ids.push(`${digest}#${from}`)
  }
  return ids
}

const hasUsage = (entry: unknown): boolean =>
  asObject(asObject(asObject(entry)?.message)?.usage) !== undefined

/** What a copy has in common with its original. */
function wordsOf(entry: unknown): string {
  const message: JsonObject = asObject(asObject(entry)?.message) ?? {}
  return JSON.stringify([message.role, message.content, message.usage])
}
