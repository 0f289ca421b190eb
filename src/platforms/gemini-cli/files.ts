import { hash } from 'node:crypto'
import { join } from 'node:path'
import {
  fileInside,
  identityOf,
  isFolder,
  isPlainFolder,
  listDirectory,
  NO_LINKS,
} from '../../io/directories.ts'
import { readSmall, type SeekableSource } from '../../io/source.ts'
import type { Artifact, Environment, Notice, Refusal, Root } from '../../model/artifact.ts'
import { asArray, asObject, asText, parsedJson } from '../../model/json.ts'
import { type Reasons, refusedIn, rootsAt, sourceOf, withHome } from '../folders.ts'
import type { Found, GivenFile } from '../platform.ts'
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
/** How much of an id the name of its file has. */
const SHORT = 8

/** The allow-list: sessions in `tmp/<project>/chats/`, and those of subagents in a folder for each parent. */
export function discover({ path: root }: Root): Found {
  const notices: Notice[] = []
  const artifacts: Artifact[] = []
  const directories = directoriesIn(root)
  const top = join(root, 'tmp')
  for (const project of foldersIn(top)) {
    const chats = join(top, project, 'chats')
    const directory = directories.get(project)
    for (const { name } of entriesIn(chats)) {
      if (SESSION.test(name)) add(chats, name, SESSION.exec(name)![1]!, directory)
      else if (isPlainFolder(join(chats, name)))
        for (const each of entriesIn(join(chats, name))) {
          const id = SUBAGENT.exec(each.name)?.[1]
          if (id !== undefined) add(join(chats, name), each.name, id, directory, name)
        }
    }
  }
  return { artifacts, notices, unread: [] }

  function entriesIn(path: string) {
    if (!isPlainFolder(path)) return []
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT') notices.push({ platform, path, message: `cannot be listed (${error})` })
    return entries
  }

  function foldersIn(path: string): string[] {
    return entriesIn(path).flatMap(({ name }) => (isPlainFolder(join(path, name)) ? [name] : []))
  }

  function add(inside: string, name: string, sessionId: string, directory?: string, parent?: string): void {
    const path = join(inside, name)
    const stats = fileInside(inside, path, NO_LINKS)
    if (!stats) return
    artifacts.push({
      platform,
      agent,
      root,
      path,
      kind: 'transcript',
      state: 'live',
      sessionId,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
      // A document is written again at each step, so that every change begins a new reading.
      ...(isDocument(path) && {
        database: inside,
        identity: `${identityOf(stats)}#${stats.mtimeMs} ${stats.size}`,
      }),
      ...(directory !== undefined && { directory }),
      ...(parent !== undefined && { kindHint: 'subagent' as const, parentSessionId: parent.slice(0, SHORT) }),
    })
  }
}

const isDocument = (path: string): boolean => path.endsWith('.json')

const NEWLINE = Buffer.from('\n')
/** Larger documents are not read. */
const LARGEST_DOCUMENT = 256 * 1024 * 1024

/** The lines of a document: what it says of the session, and its messages. Throws the system's error. */
export function openDocument(artifact: Artifact): SeekableSource | undefined {
  if (!isDocument(artifact.path)) return undefined
  const bytes = readSmall(artifact.path, LARGEST_DOCUMENT)
  if (!bytes) throw Object.assign(new Error('the document is too large'), { code: 'EFBIG' })
  const document = asObject(parsedJson(bytes.toString('utf8')))
  const messages = asArray(document?.messages)
  // An archive writes the lines themselves. Anything else is damaged.
  if (!document || !messages) return sourceOf(Buffer.concat([bytes, NEWLINE]), artifact)
  const { messages: _, ...session } = document
  return sourceOf(
    Buffer.from([session, ...messages].map((line) => `${JSON.stringify(line)}\n`).join('')),
    artifact,
  )
}

/** Larger files are not the client's. */
const LARGEST = 16 * 1024 * 1024

/** The directory of each project folder. Older versions named a folder by the hash of the directory. */
function directoriesIn(root: string): ReadonlyMap<string, string> {
  const path = join(root, 'projects.json')
  const directories = new Map<string, string>()
  if (!fileInside(root, path, NO_LINKS)) return directories
  const text = readSmall(path, LARGEST)?.toString('utf8') ?? ''
  for (const [directory, name] of Object.entries(asObject(asObject(parsedJson(text))?.projects) ?? {})) {
    directories.set(hash('sha256', directory, 'hex'), directory)
    const own = asText(name)
    if (own !== undefined) directories.set(own, directory)
  }
  return directories
}

/** A session outside of the roots. */
export const given: GivenFile = {
  isOwn: ({ projectHash, $set }) => projectHash !== undefined || $set !== undefined,
  isOwnName: (name) => SESSION.test(name),
  facts: () => ({ agent, state: 'live' }),
}
