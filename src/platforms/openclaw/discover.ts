import { type Dirent, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Allows,
  fileInside,
  identityOf,
  isFolderInside,
  isLink,
  isOneName,
  NO_LINKS,
} from '../../io/directories.ts'
import { databaseFault } from '../../io/sqlite.ts'
import {
  type Artifact,
  type Environment,
  isAskedFor,
  type NamedSession,
  type Root,
  type Unread,
} from '../../model/artifact.ts'
import { unknownIn } from '../database-connections.ts'
import { ask } from './database/connection.ts'
import { archivesOf, sessionsOf } from './database/sessions.ts'
import {
  backupName,
  importedName,
  isImportedIndex,
  reasonFor,
  type TranscriptName,
  transcriptName,
} from './file-names.ts'
import { createLister, readJson } from './files.ts'
import { openclawIdentity } from './identity.ts'
import { pendingSince } from './pending.ts'
import { indexOf, type SessionHint, type SessionIndex } from './session-index.ts'
import { keyOfSlug, kindOfKey, known, surfaceOfKey } from './session-key.ts'

const IMPORT_ARCHIVE = 'session-sqlite-import-archive'
const ARCHIVED = '_archived'
const INDEX = 'sessions.json'
const DATABASE = 'openclaw-agent.sqlite'
const UNKNOWN_TABLES =
  'a database without known session tables. If OpenClaw has not created them yet, start it once. A newer OpenClaw needs a newer scrollback.'

/** Tables of known schemas whose names could be those of a later one, and the latest of them. */
const KNOWN = { known: ['sessions'], schema: 23 }

/** How the files of a folder are named. */
type Naming = (file: string) => TranscriptName | undefined

/** The allow-list of OpenClaw: the transcripts of every agent, in all layouts of its versions. */
export function discover(root: Root, environment: Environment) {
  const artifacts: Artifact[] = []
  const unread: Unread[] = []
  const named: NamedSession[] = []
  const { notices, notice, list } = createLister()
  const agents = join(root.path, 'agents')
  if (isLink(agents)) notice(agents, 'is a link and was not followed; make it a directory')
  else
    for (const entry of list(agents)) {
      const path = join(agents, entry.name)
      if (enters(path, entry, isOneName)) addAgent(entry.name, path)
    }
  // The oldest versions had only one agent.
  const path = join(root.path, 'sessions')
  const legacy = list(root.path).find((entry) => entry.name === 'sessions')
  if (enters(path, legacy)) addSessions(openclawIdentity.defaultAgent, path, [])
  return { artifacts, notices, unread, named }

  /** Whether a folder is entered. A link that is not followed becomes a notice. */
  function enters(path: string, entry: Dirent | undefined, allows = NO_LINKS): boolean {
    if (!entry) return false
    if (isFolderInside(dirname(path), path, entry, allows)) return true
    if (entry.isSymbolicLink() && existsSync(path))
      notice(path, 'is a link to a folder that is not read under its own name; not followed')
    return false
  }

  function addAgent(agent: string, folder: string): void {
    const begin = artifacts.length
    const inside = new Map(list(folder).map((entry) => [entry.name, entry]))
    const indexes: SessionIndex[] = []
    const archive = join(folder, IMPORT_ARCHIVE)
    const archived = enters(archive, inside.get(IMPORT_ARCHIVE)) ? list(archive) : []
    for (const { name } of archived) if (isImportedIndex(name)) addIndex(join(archive, name), indexes)
    const sessions = join(folder, 'sessions')
    const current = enters(sessions, inside.get('sessions'))
      ? addSessions(agent, sessions, indexes)
      : undefined
    for (const entry of archived) addTranscript(agent, archive, entry, importedName, indexes)
    const databases = join(folder, 'agent')
    if (enters(databases, inside.get('agent'))) addDatabase(agent, databases)
    if (current) addNamed(agent, join(sessions, INDEX), current, artifacts.slice(begin))
  }

  /** Adds the transcripts of a `sessions` folder, and its index to those known. Returns that index. */
  function addSessions(agent: string, folder: string, indexes: SessionIndex[]): SessionIndex | undefined {
    const entries = list(folder)
    const hasIndex = entries.some((entry) => entry.name === INDEX)
    const current = hasIndex ? addIndex(join(folder, INDEX), indexes) : undefined
    const begin = artifacts.length
    const waiting = pendingSince(dirname(folder))
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.name === ARCHIVED && enters(path, entry))
        for (const each of list(path)) addTranscript(agent, path, each, archivedName, indexes)
      else addTranscript(agent, folder, entry, transcriptName, indexes)
    }
    for (const each of waiting.size > 0 ? artifacts.slice(begin) : [])
      each.besideMs = waiting.get(each.sessionId)
    return current
  }

  /** Adds a file as a transcript, or as unread with the reason. */
  function addTranscript(
    agent: string,
    folder: string,
    entry: Dirent,
    nameOf: Naming,
    indexes: readonly SessionIndex[],
  ): void {
    const wanted: Naming = (file) => {
      const name = isOneName(file) ? (nameOf(file) ?? backupName(file)) : undefined
      return name && isAskedFor(name.state, environment) ? name : undefined
    }
    const name = wanted(entry.name)
    const path = join(folder, entry.name)
    if (!name) {
      const own = nameOf(entry.name)
      const reason = own ? undefined : reasonFor(entry)
      if (reason) unread.push({ path, ...reason })
      else if (own?.state === 'deleted') unread.push({ path, reason: 'a deleted transcript', deleted: true })
      return
    }
    const stats = fileInside(folder, path, (target) => wanted(target) !== undefined)
    if (!stats) {
      if (entry.isSymbolicLink()) notice(path, 'is a link to no transcript of its folder; not followed')
      return
    }
    const { state, ...hint } = hintFor(name, agent, indexes)
    artifacts.push({
      platform: openclawIdentity.id,
      root: root.path,
      path,
      kind: 'transcript',
      // A session of a database is unpacked under a name that says nothing.
      state: name.state === 'live' ? (state ?? 'live') : name.state,
      sessionId: name.stem,
      agent,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
      ...hint,
    })
  }

  /** Reads a session index. One that cannot be read becomes a notice. */
  function addIndex(path: string, indexes: SessionIndex[]): SessionIndex | undefined {
    if (!fileInside(dirname(path), path, isIndexName)) return undefined
    try {
      const index = indexOf(readJson(path))
      indexes.push(index)
      return index
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error)
      notice(path, `cannot be read (${what}); titles and kinds come from the transcripts alone`)
      return undefined
    }
  }

  /** Adds the sessions that an agent's index contains but none of its folders. */
  function addNamed(agent: string, path: string, index: SessionIndex, own: readonly Artifact[]): void {
    const here = new Set(own.flatMap(({ sessionId }) => namesOf(sessionId)))
    for (const [id, { kindHint, sessionKey, titleHint, entry, updatedMs, file }] of index)
      if (!here.has(id) && (file === undefined || !here.has(file))) {
        const hint = { kindHint, sessionKey, titleHint, entry, updatedMs }
        named.push({ platform: root.platform, root: root.path, agent, id, path, hint })
      }
  }

  /** Adds the sessions in an agent's database. */
  function addDatabase(agent: string, folder: string): void {
    const path = join(folder, DATABASE)
    if (!fileInside(folder, path, NO_LINKS)) return
    try {
      const found = ask(path, (connection) => {
        const live = sessionsOf(connection, path, root.path, agent)
        const sessions = live && [...live, ...archivesOf(connection, path, root.path, agent)]
        return { sessions, unknown: live ? unknownIn(connection, KNOWN) : UNKNOWN_TABLES }
      })
      if (found.unknown !== undefined) notice(path, found.unknown)
      for (const each of found.sessions ?? []) if (isAskedFor(each.state, environment)) artifacts.push(each)
    } catch (error) {
      const { what, then } = databaseFault(error)
      notice(path, `a database of sessions that cannot be read (${what}). ${then}`)
    }
  }
}

/** Files in `_archived` are archived, whatever their name. */
const archivedName: Naming = (file) => {
  const name = transcriptName(file)
  return name?.state === 'live' ? { ...name, state: 'archived' } : name
}

const isIndexName: Allows = (name) => isOneName(name) && (name === INDEX || isImportedIndex(name))

const TOPIC = /^(.+?)-topic-/
/** The file name of a fork: its time and its id. */
const FORK = /^\d{4}-\d{2}-\d{2}T[0-9-]+Z?_(.+)$/

/** The names under which an index may contain a transcript. */
const namesOf = (stem: string): string[] =>
  [stem, TOPIC.exec(stem)?.[1], FORK.exec(stem)?.[1]].filter((name) => name !== undefined)

/** The live index takes precedence over archived ones, and a full file name over the session id in it. */
function hintFor(
  { stem, keySlug }: TranscriptName,
  agent: string,
  indexes: readonly SessionIndex[],
): SessionHint {
  for (const name of namesOf(stem)) {
    const hint = indexes.findLast((index) => index.has(name))?.get(name)
    if (!hint) continue
    const { file: _, ...facts } = hint
    return facts
  }
  if (keySlug === undefined) return {}
  // The separators of an address in the slug are lost.
  const key = keyOfSlug(keySlug, agent)
  const { surface, channel } = surfaceOfKey(key)
  return { kindHint: kindOfKey(key), entry: (surface ?? channel) ? known({ surface, channel }) : undefined }
}
