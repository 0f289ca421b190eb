import type { Draft, Origin } from '../event.ts'
import { bucketOf } from './accounting.ts'
import type { Fold } from './fold.ts'

/** Passes the entries of one line to the fold and counts the line. */
export function foldEntries(
  { entries, damaged }: { entries: readonly unknown[]; damaged: boolean },
  origin: Origin,
  normalize: (entry: unknown) => Draft[],
  fold: Fold,
): void {
  // A torn line that contains a whole record is counted as that record.
  if (entries.length === 0) {
    fold.accounting.damaged(origin.offset)
    return
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
