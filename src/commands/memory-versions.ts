import { diffLines, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import type { Store, StoredDocument } from '../store/store.ts'

export type Version = StoredDocument['versions'][number]

/** Lines that came and went from one version to the next. */
export interface Change {
  from: number
  added: number
  removed: number
}

/** What was there at a time; undefined before the first version that was seen, and after the file was gone. */
export function versionAt({ versions, goneMs }: StoredDocument, at: number): Version | undefined {
  if (goneMs !== undefined && goneMs <= at) return undefined
  return versions.findLast((version) => version.at <= at)
}

/** How the last version differs from the one before it. */
export function lastChange(store: Store, { id, versions }: StoredDocument): Change | undefined {
  const [before, now] = versions.slice(-2)
  if (!before || !now) return undefined
  const change: Change = { from: before.at, added: 0, removed: 0 }
  for (const { added, removed, count } of diffLines(textOf(store, id, before), textOf(store, id, now))) {
    if (added) change.added += count
    if (removed) change.removed += count
  }
  return change
}

/** The same as a patch that a human can read; undefined where one version only was seen. */
export function lastPatch(store: Store, { id, versions, artifact }: StoredDocument): string | undefined {
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

/** With a newline at its end, whether the file had one or not: that is no change. */
const textOf = (store: Store, id: number, { number }: Version): string =>
  `${store.documentText(id, number)}\n`
