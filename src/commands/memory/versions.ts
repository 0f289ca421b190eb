import { diffLines, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import type { Documents } from '../../store/store.ts'
import type { StoredDocument } from '../../store/stored.ts'

type Version = StoredDocument['versions'][number]

/** A version by its number, from 1, or the one that was there at a time in ms. */
export type Wanted = { number: number } | { at: number }

/** The number of lines added and removed between two versions. */
interface Change {
  from: number
  added: number
  removed: number
}

/** The text of `v2`, the second version of a document. */
export const numberIn = (text: string): number | undefined => {
  const [, digits] = /^v(\d{1,9})$/i.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * The number of the wanted version, by default of the last. Undefined if there is none: of a time, before the
 * first known version and after the file was deleted.
 */
export function versionNumber(
  { versions, goneMs }: StoredDocument,
  wanted: Wanted | undefined,
): number | undefined {
  if (wanted === undefined) return versions.length || undefined
  if ('number' in wanted) return versions[wanted.number - 1] && wanted.number
  if (goneMs !== undefined && goneMs <= wanted.at) return undefined
  return versions.findLastIndex(({ at }) => at <= wanted.at) + 1 || undefined
}

/** How one version differs from another, such as the one before it. Undefined if there is no such version. */
export function changeBetween(
  store: Documents,
  document: StoredDocument,
  from: number,
  to: number,
): Change | undefined {
  const [before, after] = pairOf(document, from, to)
  if (!before || !after) return undefined
  const change: Change = { from: before.at, added: 0, removed: 0 }
  const earlier = textOf(store, document.id, before)
  for (const { added, removed, count } of diffLines(earlier, textOf(store, document.id, after))) {
    if (added) change.added += count
    if (removed) change.removed += count
  }
  return change
}

/** The same as a readable patch. */
export function patchBetween(
  store: Documents,
  document: StoredDocument,
  from: number,
  to: number,
): string | undefined {
  const [before, after] = pairOf(document, from, to)
  if (!before || !after) return undefined
  const { id, artifact } = document
  const name = artifact.sessionId
  const time = (version: Version): string => new Date(version.at).toISOString()
  const earlier = textOf(store, id, before)
  const later = textOf(store, id, after)
  const patch = structuredPatch(name, name, earlier, later, time(before), time(after), { context: 2 })
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

const pairOf = ({ versions }: StoredDocument, from: number, to: number): (Version | undefined)[] => [
  versions[from - 1],
  versions[to - 1],
]

/** Always ends with a newline, because a missing one is no change. */
const textOf = (store: Documents, id: number, { number }: Version): string =>
  `${store.documentText(id, number)}\n`
