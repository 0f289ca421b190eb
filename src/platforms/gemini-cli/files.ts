import { hash } from 'node:crypto'
import { join } from 'node:path'
import { fileInside, isFolder, isPlainFolder, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { companionText, readSmall, type SeekableSource } from '../../io/source.ts'
import type { Artifact, Environment, Notice, Refusal, Root } from '../../model/artifact.ts'
import { asArray, asObject, asText, type JsonObject, parsedJson } from '../../model/json.ts'
import { damagedSource, documentAt, sourceOfLines } from '../documents.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
import { ROWS, unpackedRows } from '../unpacked-rows.ts'
import { geminiCliIdentity } from './identity.ts'

const { id: platform, defaultAgent: agent, folder } = geminiCliIdentity

/** The folder of Gemini CLI. The variable names the folder above it. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map(
        (path) => [isFolder(join(path, folder)) ? join(path, folder) : path, '--gemini-dir'] as const,
      ),
    )
  const above = variables.GEMINI_CLI_HOME?.trim()
  return rootsAt(
    platform,
    above ? [[join(withHome(above, home), folder), 'GEMINI_CLI_HOME']] : [[join(home, folder), 'default']],
  )
}

const NEVER: Reasons = [
  [/^(?:oauth_creds|google_accounts|mcp-oauth-tokens.*)\.json/, 'keys of your accounts'],
  [/^\.env/, 'keys'],
  [/^settings\.json/, 'settings, which may contain keys'],
  [/^installation_id$/, 'identifies your installation'],
  [/^history$/, 'copies of whole files'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

/** `session-<minute>-<beginning of the id>.jsonl`, until spring 2026 one JSON document (`.json`). */
const SESSION = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-([\w-]{1,64})\.jsonl?$/
const SUBAGENT = /^([\w-]{1,64})\.jsonl$/
/** The directories of all projects: the client's list, and what an archive has of it. */
export const PROJECTS = ['projects.json', `projects${ROWS}`] as const

/** How much of an id the name of its file has. */
export const SHORT = 8

/** The allow-list: sessions in `tmp/<project>/chats/`, and those of subagents in a folder for each parent. */
export function discover(from: Root, environment: Environment): Found {
  const { path: root } = from
  const { found, list, folders, ...finder } = finderIn(from, environment)
  const directories = directoriesIn(root, found.notices)
  for (const project of folders(join(root, 'tmp'))) {
    const chats = join(root, 'tmp', project, 'chats')
    const directory = directories.get(project)
    for (const { name } of list(chats)) {
      const id = SESSION.exec(name)?.[1]
      if (id !== undefined) add(chats, name, id, directory)
      else if (isPlainFolder(join(chats, name)))
        for (const each of list(join(chats, name))) {
          const own = SUBAGENT.exec(each.name)?.[1]
          if (own !== undefined) add(join(chats, name), each.name, own, directory, name)
        }
    }
  }
  return found

  function add(within: string, name: string, sessionId: string, directory?: string, parent?: string): void {
    const artifact = finder.add(within, name, {
      agent,
      sessionId,
      ...(directory !== undefined && { directory }),
      ...(parent !== undefined && { kindHint: 'subagent' as const, parentSessionId: parent.slice(0, SHORT) }),
    })
    if (!artifact || !isDocument(name)) return
    // A document is written again at each step, so that every change begins a new reading.
    const { identity, modifiedMs, bytes } = artifact
    Object.assign(artifact, { database: within, identity: `${identity}#${modifiedMs} ${bytes}` })
  }
}

const isDocument = (path: string): boolean => path.endsWith('.json')

/** The lines of a document: what it says of the session, and its messages. Throws the system's error. */
export function openDocument(artifact: Artifact): SeekableSource | undefined {
  if (!isDocument(artifact.path)) return undefined
  const { document, bytes } = documentAt(artifact.path)
  const messages = asArray(document?.messages)
  // An archive writes the lines themselves. Anything else is damaged.
  if (!document || !messages) return damagedSource(bytes, artifact)
  const { messages: _, ...session } = document
  return sourceOfLines([session, ...latestOf(messages)], artifact)
}

/** The messages, where the client wrote one again under its id the last in the place of the first. */
function latestOf(messages: readonly unknown[]): unknown[] {
  const latest = new Map<unknown, unknown>()
  for (const message of messages) latest.set(asText(asObject(message)?.id) ?? latest.size, message)
  return [...latest.values()]
}

/** Larger files are not the client's. */
const LARGEST = 16 * 1024 * 1024

/**
 * The directory of each project folder. Older versions named a folder by the hash of the directory. Each
 * folder states it too, which is needed if the common list is gone.
 */
export function directoriesIn(root: string, notices: Notice[] = []): ReadonlyMap<string, string> {
  const path = join(root, PROJECTS[0])
  const directories = new Map<string, string>()
  for (const { name } of listDirectory(join(root, 'tmp')).entries) {
    const stated = statedIn(join(root, 'tmp', name))
    if (stated !== undefined) directories.set(name, stated)
  }
  const add = (projects: JsonObject): void => {
    for (const [directory, name] of Object.entries(projects)) {
      directories.set(hash('sha256', directory, 'hex'), directory)
      const own = asText(name)
      if (own !== undefined) directories.set(own, directory)
    }
  }
  // Archives of earlier versions have the whole list as one row.
  for (const row of unpackedProjects(root)) add(asObject(row.projects) ?? row)
  if (!fileInside(root, path, NO_LINKS)) return directories
  let text = ''
  try {
    text = readSmall(path, LARGEST)?.toString('utf8') ?? ''
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    notices.push({ platform, path, message: `cannot be read (${code}); folders of sessions may be missing` })
  }
  add(asObject(asObject(parsedJson(text))?.projects) ?? {})
  return directories
}

/** What an archive has of the list of projects. */
function unpackedProjects(root: string): JsonObject[] {
  try {
    return unpackedRows(root, PROJECTS[1]) ?? []
  } catch {
    // Only its folders are missing then, which the transcripts may name, too.
    return []
  }
}

/** The longest path that a folder can state. */
const LONGEST_PATH = 16 * 1024

/** The directory that a project folder states in `.project_root`. */
function statedIn(folder: string): string | undefined {
  const path = join(folder, '.project_root')
  if (!isPlainFolder(folder) || !fileInside(folder, path, NO_LINKS)) return undefined
  const stated = companionText(path, LONGEST_PATH).trim()
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\n]+$/.test(stated) ? stated : undefined
}

/** A session outside of the roots. */
export const given: GivenFile = {
  isOwn: ({ projectHash, $set }) => projectHash !== undefined || $set !== undefined,
  isOwnName: (name) => SESSION.test(name),
  facts: () => ({ agent, state: 'live' }),
}
