import { type Dirent, existsSync } from 'node:fs'
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
import { append } from '../../model/iteration.ts'
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
import { openclawIdentity } from './identity.ts'
import { readSessionIndex, type SessionHint, type SessionIndex } from './session-index.ts'
import { keyOfSlug, kindOfKey, known, surfaceOfKey } from './session-key.ts'

const IMPORT_ARCHIVE = 'session-sqlite-import-archive'
const ARCHIVED = '_archived'

/** The allow-list of OpenClaw: the transcripts of every agent, in all layouts of its versions. */
export function discover(
  root: Root,
  environment: Environment,
): { artifacts: Artifact[]; notices: Notice[]; unread: Unread[]; named: NamedSession[] } {
  const findings = createFindings(root, environment)
  const { list, enters, notice } = findings
  const agents = join(root.path, 'agents')
  if (isLink(agents)) notice(agents, 'is a link and was not followed; make it a directory')
  else
    for (const entry of list(agents)) {
      const path = join(agents, entry.name)
      if (enters(path, entry, isOneName)) addAgent(findings, entry.name, path)
    }
  // The oldest versions had only one agent.
  const path = join(root.path, 'sessions')
  const legacy = list(root.path).find((entry) => entry.name === 'sessions')
  if (legacy && enters(path, legacy)) addSessions(findings, openclawIdentity.defaultAgent, path, [])
  const { artifacts, notices, unread, named } = findings
  return { artifacts, notices, unread, named }
}

function addAgent(findings: Findings, agent: string, folder: string): void {
  const { artifacts, list, enters } = findings
  const begin = artifacts.length
  const inside = new Map(list(folder).map((entry) => [entry.name, entry]))
  const indexes: SessionIndex[] = []
  const archive = inside.get(IMPORT_ARCHIVE)
  const archivePath = join(folder, IMPORT_ARCHIVE)
  const archived = archive && enters(archivePath, archive) ? list(archivePath) : []
  for (const { name } of archived)
    if (isImportedIndex(name)) addIndex(indexes, readIndex(join(archivePath, name), findings))
  const live = inside.get('sessions')
  const sessions = join(folder, 'sessions')
  const current = live && enters(sessions, live) ? addSessions(findings, agent, sessions, indexes) : undefined
  const imported: TranscriptFolder = { agent, path: archivePath, nameOf: importedName, indexes }
  for (const entry of archived) addTranscript(findings, imported, entry)
  addDatabase(findings, agent, join(folder, 'agent'), inside.get('agent'))
  if (current) addNamed(findings, agent, folder, current, begin)
}

/** Adds the transcripts of a `sessions` folder, and its index to those known. Returns that index. */
function addSessions(
  findings: Findings,
  agent: string,
  folder: string,
  indexes: SessionIndex[],
): SessionIndex | undefined {
  const entries = findings.list(folder)
  const current = entries.some((entry) => entry.name === INDEX)
    ? readIndex(join(folder, INDEX), findings)
    : undefined
  addIndex(indexes, current)
  const live: TranscriptFolder = { agent, path: folder, nameOf: transcriptName, indexes }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.name === ARCHIVED && findings.enters(path, entry)) {
      const archived: TranscriptFolder = { agent, path, nameOf: archivedName, indexes }
      for (const each of findings.list(path)) addTranscript(findings, archived, each)
    } else addTranscript(findings, live, entry)
  }
  return current
}

function addIndex(indexes: SessionIndex[], index: SessionIndex | undefined): void {
  if (index) indexes.push(index)
}

/** What is found below one root, with what is needed to look further. */
interface Findings {
  root: Root
  environment: Environment
  artifacts: Artifact[]
  unread: Unread[]
  named: NamedSession[]
  notices: Notice[]
  notice(path: string, message: string): void
  /** The entries of a folder. One that cannot be listed becomes a notice. */
  list(path: string): Dirent[]
  /** Whether a folder is entered. A link that is not followed becomes a notice. */
  enters(path: string, entry: Dirent, allows?: Allows): boolean
}

function createFindings(root: Root, environment: Environment): Findings {
  const notices: Notice[] = []
  const notice = (path: string, message: string): void =>
    void notices.push({ platform: openclawIdentity.id, path, message })
  return {
    ...{ root, environment, artifacts: [], unread: [], named: [], notices, notice },
    list(path) {
      const { entries, error } = listDirectory(path)
      if (error && error !== 'ENOENT' && error !== 'ENOTDIR') notice(path, `cannot be listed (${error})`)
      return entries
    },
    enters(path, entry, allows = NO_LINKS) {
      if (isFolderInside(dirname(path), path, entry, allows)) return true
      if (entry.isSymbolicLink() && existsSync(path))
        notice(path, 'is a link to a folder that is not read under its own name; not followed')
      return false
    },
  }
}

/** A folder with transcripts of one agent. */
interface TranscriptFolder {
  agent: string
  path: string
  /** How its files are named. */
  nameOf(file: string): TranscriptName | undefined
  indexes: readonly SessionIndex[]
}

/** Files in `_archived` are archived, whatever their name. */
const archivedName = (file: string): TranscriptName | undefined => {
  const name = transcriptName(file)
  return name?.state === 'live' ? { ...name, state: 'archived' } : name
}

/** Adds a file as a transcript, or as unread with the reason. */
function addTranscript(
  findings: Findings,
  { agent, path: folder, nameOf, indexes }: TranscriptFolder,
  entry: Dirent,
): void {
  const { root, environment, artifacts, unread, notice } = findings
  const wanted = (file: string): TranscriptName | undefined => {
    const name = isOneName(file) ? (nameOf(file) ?? backupName(file)) : undefined
    return name && isAskedFor(name.state, environment) ? name : undefined
  }
  const name = wanted(entry.name)
  const path = join(folder, entry.name)
  if (!name) {
    const reason = nameOf(entry.name) ? undefined : reasonFor(entry)
    if (reason) unread.push({ path, ...reason })
    else if (nameOf(entry.name)?.state === 'deleted')
      unread.push({ path, reason: 'a deleted transcript', deleted: true })
    return
  }
  const stats = fileInside(folder, path, (target) => wanted(target) !== undefined)
  if (!stats) {
    if (entry.isSymbolicLink()) notice(path, 'is a link to no transcript of its folder; not followed')
    return
  }
  artifacts.push({
    ...{ platform: openclawIdentity.id, root: root.path, path, kind: 'transcript', state: name.state },
    ...{ sessionId: name.stem, agent, bytes: stats.size, modifiedMs: stats.mtimeMs },
    identity: identityOf(stats),
    ...hintFor(name, agent, indexes),
  })
}

const INDEX = 'sessions.json'
const TOPIC = /^(.+?)-topic-/
/** The file name of a fork: its time and its id. */
const FORK = /^\d{4}-\d{2}-\d{2}T[0-9-]+Z?_(.+)$/

const isIndexName: Allows = (name) => isOneName(name) && (name === INDEX || isImportedIndex(name))

/** The names under which an index may contain a transcript. */
const namesOf = (stem: string): (string | undefined)[] => [stem, TOPIC.exec(stem)?.[1], FORK.exec(stem)?.[1]]

/** Reads a session index. One that cannot be read becomes a notice. */
function readIndex(path: string, { notice }: Findings): SessionIndex | undefined {
  if (!fileInside(dirname(path), path, isIndexName)) return undefined
  try {
    return readSessionIndex(path)
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    notice(path, `cannot be read (${what}); titles and kinds come from the transcripts alone`)
    return undefined
  }
}

/** The live index takes precedence over archived ones, and a full file name over the session id in it. */
function hintFor(
  { stem, keySlug }: TranscriptName,
  agent: string,
  indexes: readonly SessionIndex[],
): SessionHint {
  for (const name of namesOf(stem))
    for (const index of indexes.toReversed()) {
      const hint = name === undefined ? undefined : index.get(name)
      if (hint) {
        const { file: _, ...facts } = hint
        return facts
      }
    }
  if (keySlug === undefined) return {}
  // The separators of an address in the slug are lost.
  const key = keyOfSlug(keySlug, agent)
  const { surface, channel } = surfaceOfKey(key)
  return { kindHint: kindOfKey(key), entry: (surface ?? channel) ? known({ surface, channel }) : undefined }
}

/**
 * Adds the sessions that an agent's index contains but none of its folders. Called after its transcripts were
 * listed. `begin`: the first of its artifacts.
 */
function addNamed(
  { root, artifacts, named }: Findings,
  agent: string,
  folder: string,
  index: SessionIndex,
  begin: number,
): void {
  const here = new Set<string | undefined>()
  for (let at = begin; at < artifacts.length; at++)
    for (const name of namesOf(artifacts[at]!.sessionId)) here.add(name)
  const path = join(folder, 'sessions', INDEX)
  for (const [id, { kindHint, sessionKey, titleHint, entry, updatedMs, file }] of index)
    if (!here.has(id) && (file === undefined || !here.has(file))) {
      const hint = { kindHint, sessionKey, titleHint, entry, updatedMs }
      named.push({ platform: root.platform, root: root.path, agent, id, path, hint })
    }
}

const DATABASE = 'openclaw-agent.sqlite'
const UNKNOWN_TABLES =
  'a database without known session tables. If OpenClaw has not created them yet, start it once. A newer OpenClaw needs a newer scrollback.'

/** Adds the sessions in an agent's database. `folder` contains it, and `entry` is that folder. */
function addDatabase(
  { root, environment, artifacts, notice, enters }: Findings,
  agent: string,
  folder: string,
  entry: Dirent | undefined,
): void {
  if (!entry || !enters(folder, entry)) return
  const path = join(folder, DATABASE)
  if (!fileInside(folder, path, NO_LINKS)) return
  try {
    const found = ask(path, (connection) => {
      const live = sessionsOf(connection, path, root.path, agent)
      return live && [...live, ...archivesOf(connection, path, root.path, agent)]
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
