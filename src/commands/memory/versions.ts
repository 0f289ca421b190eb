import { diffLines, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import type { Documents } from '../../store/store.ts'
import type { StoredDocument } from '../../store/stored.ts'

export type Version = StoredDocument['versions'][number]

/** The number of lines added and removed between two versions. */
export interface Change {
  from: number
  added: number
  removed: number
}

/** The version at a time. Undefined before the first known version and after the file was deleted. */
export function versionAt({ versions, goneMs }: StoredDocument, at: number): Version | undefined {
  if (goneMs !== undefined && goneMs <= at) return undefined
  return versions.findLast((version) => version.at <= at)
}

/** How the last version differs from the one before it. */
export function lastChange(store: Documents, { id, versions }: StoredDocument): Change | undefined {
  const [before, now] = versions.slice(-2)
  if (!before || !now) return undefined
  const change: Change = { from: before.at, added: 0, removed: 0 }
  for (const { added, removed, count } of diffLines(textOf(store, id, before), textOf(store, id, now))) {
    if (added) change.added += count
    if (removed) change.removed += count
  }
  return change
}

/** The same as a readable patch. Undefined if only one version is known. */
export function lastPatch(store: Documents, { id, versions, artifact }: StoredDocument): string | undefined {
  const [before, now] = versions.slice(-2)
  if (!before || !now) return undefined
  const day = (version: Version): string => new Date(version.at).toISOString()
  return formatPatch(
    structuredPatch(
      artifact.sessionId,
      artifact.sessionId,
      textOf(store, id, before),
      textOf(store, id, now),
      day(before),
      day(now),
      { context: 2 },
    ),
    FILE_HEADERS_ONLY,
  )
}

/** Always ends with a newline, because a missing one is no change. */
const textOf = (store: Documents, id: number, { number }: Version): string =>
  `${store.documentText(id, number)}\n`
