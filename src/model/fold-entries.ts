import { bucketOf } from './accounting.ts'
import type { Draft, Origin } from './event.ts'
import type { Fold } from './fold.ts'

/** What one line held into the fold, and the line into the accounting. */
export function foldEntries(
  { entries, damaged }: { entries: readonly unknown[]; damaged: boolean },
  origin: Origin,
  normalize: (entry: unknown) => Draft[],
  fold: Fold,
): void {
  // A torn line that still held a whole record is counted by that record.
  if (entries.length === 0) {
    fold.accounting.damaged(origin.offset)
    return
  }
  const drafts = entries.flatMap(normalize)
  const { bucket, name } = bucketOf(drafts)
  fold.accounting.add(bucket, name)
  if (damaged) fold.accounting.torn(origin.offset)
  const places = new Map<string | undefined, number>()
  for (const [order, draft] of drafts.entries()) {
    const index = places.get(draft.id) ?? 0
    places.set(draft.id, index + 1)
    fold.event({ ...draft, origin, index, order })
  }
}
