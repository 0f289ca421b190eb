import type { Who } from '../../../model/session.ts'
import { type Raw, raw } from '../connection/literal.ts'
import type { Place } from './candidates.ts'
import { mergedItems, plainItems, type Replaced } from './newest-items.ts'
import { monthOf, type Slice, sliceCondition } from './slices.ts'

/** One row of a message. */
export interface Placed {
  who: Who
  at: number
  place: Place
}

/** Undefined for a message whose copies may be of several months. */
const sliceOf = ({ who, at }: Placed): Slice | undefined => (who === 'memory' ? undefined : monthOf(at))

/**
 * The rows at some places, with some columns, as a part of a statement. Each month is read on its own:
 * otherwise the engine would look for each key in all months. A place may also have rows of other messages.
 */
export function placedItems({ files }: Replaced, columns: string, placed: readonly Placed[]): Raw {
  const isReplaced = ({ place }: Placed): boolean => files?.has(place.artifact) ?? true
  const groups = Map.groupBy(placed, (each) => `${sliceOf(each)?.from} ${isReplaced(each)}`)
  const selects = Array.from(groups.values(), (rows) => {
    const slice = sliceOf(rows[0]!)
    const keys = rows.map(
      ({ place: { artifact, generation, line, order } }) => `(${artifact}, ${generation}, ${line}, ${order})`,
    )
    const read = isReplaced(rows[0]!) ? mergedItems : plainItems
    return read({
      columns,
      keys: `(i.artifact, i.generation, i.line, i.place) IN (${keys.join(', ')})`,
      where: slice ? sliceCondition(slice).sql : '1',
    })
  })
  return raw(selects.join(' UNION ALL '))
}
