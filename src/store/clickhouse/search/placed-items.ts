import type { Who } from '../../../model/session.ts'
import { type Raw, raw } from '../connection/literal.ts'
import type { Place } from './candidates.ts'
import { newestItems, type Replaced } from './newest-items.ts'
import { monthOf, sliceCondition } from './slices.ts'

/** One row of a message. */
export interface Placed {
  who: Who
  at: number
  place: Place
}

/** Undefined for a message whose copies may be of several months. */
const sliceOf = ({ who, at }: Placed) => (who === 'memory' ? undefined : monthOf(at))

/**
 * The rows at some places, with some columns, as a part of a statement. Each month is read on its own:
 * otherwise the engine would look for each key in all months. A place may also have rows of other messages.
 */
export function placedItems(replaced: Replaced, columns: string, placed: readonly Placed[]): Raw {
  const months = Map.groupBy(placed, (each) => sliceOf(each)?.from)
  const selects = [...months.values()].map((rows) => {
    const slice = sliceOf(rows[0]!)
    const keys = rows.map(
      ({ place: { artifact, generation, line, order } }) => `(${artifact}, ${generation}, ${line}, ${order})`,
    )
    return newestItems(replaced, {
      columns,
      keys: `(i.artifact, i.generation, i.line, i.place) IN (${keys.join(', ')})`,
      where: slice ? sliceCondition(slice).sql : '1',
    })
  })
  return raw(selects.join(' UNION ALL '))
}
