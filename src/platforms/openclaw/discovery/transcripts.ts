import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { fileInside, identityOf, isOneName } from '../../../io/directories.ts'
import { isAskedFor } from '../../../model/artifact.ts'
import { backupName, type TranscriptName, transcriptName } from '../file-names.ts'
import { openclawIdentity } from '../identity.ts'
import type { SessionIndex } from '../sessions/session-index.ts'
import { reasonFor } from '../unread.ts'
import type { Findings } from './findings.ts'
import { hintFor } from './indexes.ts'

/** A folder with transcripts of one agent. */
export interface TranscriptFolder {
  agent: string
  path: string
  /** How its files are named. */
  nameOf(file: string): TranscriptName | undefined
  indexes: readonly SessionIndex[]
}

/** Files in `_archived` are archived, whatever their name. */
export const archivedName = (file: string): TranscriptName | undefined => {
  const name = transcriptName(file)
  return name?.state === 'live' ? { ...name, state: 'archived' } : name
}

/** Adds a file as a transcript, or as unread with the reason. */
export function addTranscript(
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
