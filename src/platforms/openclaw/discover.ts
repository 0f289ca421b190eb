import { join } from 'node:path'
import { isLink, isOneName } from '../../io/directories.ts'
import type { Artifact, Environment, NamedSession, Notice, Root, Unread } from '../../model/artifact.ts'
import { addDatabase } from './discovery/databases.ts'
import { createFindings, type Findings } from './discovery/findings.ts'
import { addNamed, INDEX, readIndex } from './discovery/indexes.ts'
import { addTranscript, archivedName, type TranscriptFolder } from './discovery/transcripts.ts'
import { importedName, isImportedIndex, transcriptName } from './file-names.ts'
import { openclawIdentity } from './identity.ts'
import type { SessionIndex } from './sessions/session-index.ts'

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
