import type { Dirent } from 'node:fs'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Allows,
  fileInside,
  identityOf,
  isFolderInside,
  isLink,
  isOneName,
  listDirectory,
  NO_LINKS,
} from '../../io/directories.ts'
import { databaseFault } from '../../io/sqlite.ts'
import {
  type Artifact,
  type Environment,
  isAskedFor,
  type NamedSession,
  type Notice,
  type Root,
  type Unread,
} from '../../model/artifact.ts'
import { append } from '../../model/lists.ts'
import { archivesOf } from './eras/archived-sessions.ts'
import { ask } from './eras/connection.ts'
import { sessionsOf } from './eras/database-sessions.ts'
import {
  backupName,
  importedName,
  isImportedIndex,
  type TranscriptName,
  transcriptName,
} from './file-names.ts'
import { readSessionIndex, type SessionHint, type SessionIndex } from './session-index.ts'
import { keyOfSlug, kindOfKey } from './session-kind.ts'
import { known, placeOfKey } from './session-place.ts'
import { reasonFor } from './unread.ts'

const INDEX = 'sessions.json'
const DATABASE = 'openclaw-agent.sqlite'
const UNKNOWN_TABLES =
  'a database without the tables of sessions that this version knows. Start OpenClaw once, if it was about to make them; a newer OpenClaw needs a newer scrollback.'
const TOPIC = /^(.+?)-topic-/
/** A fork is named by its time and its id. */
const FORK = /^\d{4}-\d{2}-\d{2}T[0-9-]+Z?_(.+)$/

/** The allow-list of OpenClaw: the transcripts of every agent, in all the places its versions have kept them. */
export function discover(
  root: Root,
  environment: Environment,
): { artifacts: Artifact[]; notices: Notice[]; unread: Unread[]; named: NamedSession[] } {
  const artifacts: Artifact[] = []
  const unread: Unread[] = []
  const named: NamedSession[] = []
  const notices: Notice[] = []
  /** The index of each agent, by its folder. */
  const own = new Map<string, SessionIndex>()
  const agents = join(root.path, 'agents')
  if (isLink(agents)) notice(agents, 'is a link and was not followed; make it a directory')
  else
    for (const entry of list(agents)) {
      const path = join(agents, entry.name)
      if (enters(path, entry, isOneName)) agent(entry.name, path)
    }
  // The oldest versions knew one agent only.
  const legacy = list(root.path).find((entry) => entry.name === 'sessions')
  if (legacy && enters(join(root.path, 'sessions'), legacy)) sessions('main', join(root.path, 'sessions'), [])
  return { artifacts, notices, unread, named }

  function agent(id: string, folder: string): void {
    const begin = artifacts.length
    const inside = new Map(list(folder).map((entry) => [entry.name, entry]))
    const indexes: SessionIndex[] = []
    const archive = inside.get('session-sqlite-import-archive')
    const archivePath = join(folder, 'session-sqlite-import-archive')
    const archived = archive && enters(archivePath, archive) ? list(archivePath) : []
    for (const entry of archived)
      if (isImportedIndex(entry.name)) readIndex(join(archivePath, entry.name), indexes)
    const live = inside.get('sessions')
    if (live && enters(join(folder, 'sessions'), live)) sessions(id, join(folder, 'sessions'), indexes)
    for (const entry of archived) add(id, archivePath, entry, importedName, indexes)
    database(id, join(folder, 'agent'), inside.get('agent'))
    const current = own.get(folder)
    if (current) onlyNamed(id, join(folder, 'sessions', INDEX), current, begin)
  }

  function sessions(id: string, folder: string, indexes: SessionIndex[]): void {
    const entries = list(folder)
    if (entries.some((entry) => entry.name === INDEX)) {
      const before = indexes.length
      readIndex(join(folder, INDEX), indexes)
      if (indexes.length > before) own.set(dirname(folder), indexes.at(-1)!)
    }
    for (const entry of entries) {
      if (entry.name === '_archived' && enters(join(folder, entry.name), entry))
        archived(id, join(folder, entry.name), indexes)
      else add(id, folder, entry, transcriptName, indexes)
    }
  }

  /** What the index of an agent names and none of its folders holds; its transcripts come last. */
  function onlyNamed(agent: string, path: string, index: SessionIndex, begin: number): void {
    const here = new Set<string | undefined>()
    for (let at = begin; at < artifacts.length; at++) {
      const { sessionId } = artifacts[at]!
      for (const stem of [sessionId, TOPIC.exec(sessionId)?.[1], FORK.exec(sessionId)?.[1]]) here.add(stem)
    }
    for (const [id, { kindHint, sessionKey, titleHint, entry, updatedMs }] of index)
      if (!here.has(id)) {
        const hint = { kindHint, sessionKey, titleHint, entry, updatedMs }
        named.push({ platform: 'openclaw', root: root.path, agent, id, path, hint })
      }
  }

  function archived(id: string, folder: string, indexes: SessionIndex[]): void {
    for (const entry of list(folder)) add(id, folder, entry, archivedName, indexes)
  }

  function database(id: string, folder: string, entry: Dirent | undefined): void {
    if (!entry || !enters(folder, entry)) return
    const path = join(folder, DATABASE)
    if (!fileInside(folder, path, NO_LINKS)) return
    try {
      const found = ask(path, (connection) => {
        const live = sessionsOf(connection, path, root.path, id)
        return live && [...live, ...archivesOf(connection, path, root.path, id)]
      })
      if (found)
        append(
          artifacts,
          found.filter(({ state }) => isAskedFor(state, environment)),
        )
      else notice(path, UNKNOWN_TABLES)
    } catch (error) {
      const { what, then } = databaseFault(error)
      notice(path, `a database of sessions that cannot be read (${what}). ${then}`)
    }
  }

  function add(
    id: string,
    folder: string,
    entry: Dirent,
    nameOf: (name: string) => TranscriptName | undefined,
    indexes: readonly SessionIndex[],
  ): void {
    const wanted = (file: string): TranscriptName | undefined => {
      const name = isOneName(file) ? (nameOf(file) ?? backupName(file)) : undefined
      return name && isAskedFor(name.state, environment) ? name : undefined
    }
    const name = wanted(entry.name)
    const path = join(folder, entry.name)
    if (!name) {
      const reason = nameOf(entry.name) ? undefined : reasonFor(entry)
      if (reason) unread.push({ path, ...reason })
      return
    }
    const stats = fileInside(folder, path, (target) => wanted(target) !== undefined)
    if (!stats) {
      if (entry.isSymbolicLink()) notice(path, 'is a link to no transcript of its folder; not followed')
      return
    }
    artifacts.push({
      platform: 'openclaw',
      root: root.path,
      path,
      kind: 'transcript',
      state: name.state,
      sessionId: name.stem,
      agent: id,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      identity: identityOf(stats),
      ...hintFor(name, id, indexes),
    })
  }

  function readIndex(path: string, indexes: SessionIndex[]): void {
    if (!fileInside(dirname(path), path, isIndexName)) return
    try {
      indexes.push(readSessionIndex(path))
    } catch (error) {
      notice(
        path,
        `cannot be read (${error instanceof Error ? error.message : String(error)}); titles and kinds come from the transcripts alone`,
      )
    }
  }

  function list(path: string): Dirent[] {
    const { entries, error } = listDirectory(path)
    if (error && error !== 'ENOENT' && error !== 'ENOTDIR') notice(path, `cannot be listed (${error})`)
    return entries
  }

  function enters(path: string, entry: Dirent, allows: Allows = NO_LINKS): boolean {
    if (isFolderInside(dirname(path), path, entry, allows)) return true
    if (entry.isSymbolicLink() && existsSync(path))
      notice(path, 'is a link to a folder that is not read under its own name; not followed')
    return false
  }

  function notice(path: string, message: string): void {
    notices.push({ platform: 'openclaw', path, message })
  }
}

const isIndexName: Allows = (name) => isOneName(name) && (name === INDEX || isImportedIndex(name))

/** What lies in `_archived` is archived, whatever its name. */
const archivedName = (file: string): TranscriptName | undefined => {
  const name = transcriptName(file)
  return name?.state === 'live' ? { ...name, state: 'archived' } : name
}

/** The live index goes before archived ones, a file's full name before the session id inside it. */
function hintFor(
  { stem, keySlug }: TranscriptName,
  agent: string,
  indexes: readonly SessionIndex[],
): SessionHint {
  const names = [stem, TOPIC.exec(stem)?.[1], FORK.exec(stem)?.[1]]
  for (const name of names)
    for (const index of indexes.toReversed()) {
      const hint = name === undefined ? undefined : index.get(name)
      if (hint) return hint
    }
  if (keySlug === undefined) return {}
  // Which of its separators were part of an address, nothing tells.
  const key = keyOfSlug(keySlug, agent)
  const { surface, channel } = placeOfKey(key)
  return { kindHint: kindOfKey(key), entry: (surface ?? channel) ? known({ surface, channel }) : undefined }
}
