import { dirname, join } from 'node:path'
import { type Allows, fileInside, isOneName } from '../../../io/directories.ts'
import { isImportedIndex, type TranscriptName } from '../file-names.ts'
import { readSessionIndex, type SessionHint, type SessionIndex } from '../sessions/session-index.ts'
import { keyOfSlug, kindOfKey } from '../sessions/session-kind.ts'
import { known, surfaceOfKey } from '../sessions/session-surface.ts'
import type { Findings } from './findings.ts'

export const INDEX = 'sessions.json'
const TOPIC = /^(.+?)-topic-/
/** The file name of a fork: its time and its id. */
const FORK = /^\d{4}-\d{2}-\d{2}T[0-9-]+Z?_(.+)$/

const isIndexName: Allows = (name) => isOneName(name) && (name === INDEX || isImportedIndex(name))

/** The names under which an index may contain a transcript. */
const namesOf = (stem: string): (string | undefined)[] => [stem, TOPIC.exec(stem)?.[1], FORK.exec(stem)?.[1]]

/** Reads a session index. One that cannot be read becomes a notice. */
export function readIndex(path: string, { notice }: Findings): SessionIndex | undefined {
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
export function hintFor(
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
export function addNamed(
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
