import type { Draft, Origin } from '../event.ts'
import { asText, valueAt } from '../json.ts'
import { bucketOf } from './accounting.ts'
import type { Fold } from './fold.ts'

/** How the records of a platform are understood. */
interface Records {
  normalize(entry: unknown): Draft[]
  /** The paths of the ids of a record and of the one that it follows. */
  record: { id?: string; parentId?: string }
}

/** Passes the entries of one line to the fold and counts the line. */
export function foldEntries(
  { entries, damaged }: { entries: readonly unknown[]; damaged: boolean },
  origin: Origin,
  { normalize, record }: Records,
  fold: Fold,
): void {
  // A torn line that contains a whole record is counted as that record.
  if (entries.length === 0) {
    fold.accounting.damaged(origin.offset)
    return
  }
  // What is left of a torn line says nothing reliable about branches.
  if (entries.length === 1 && !damaged) {
    const id = asText(valueAt(entries[0], record.id))
    if (id) fold.link(id, asText(valueAt(entries[0], record.parentId)) || undefined)
  }
  const drafts = entries.flatMap(normalize)
  const { bucket, name } = bucketOf(drafts)
  fold.accounting.add(bucket, name)
  if (damaged) fold.accounting.torn(origin.offset)
  const counts = new Map<string | undefined, number>()
  for (const [order, draft] of drafts.entries()) {
    const index = counts.get(draft.id) ?? 0
    counts.set(draft.id, index + 1)
    fold.event({ ...draft, origin, index, order })
  }
}
