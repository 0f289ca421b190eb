import type { Who } from '../../../model/session.ts'
import { type Raw, raw } from '../connection/literal.ts'
import type { RowKey } from './candidates.ts'
import { mergedItems, plainItems, type Replaced } from './newest-items.ts'
import { monthOf, type Slice, sliceCondition } from './slices.ts'

/** One row of a message. */
export interface WantedRow {
  who: Who
  at: number
  key: RowKey
  isSpread?: true
}

/** Undefined for a message whose copies may be of several months. */
const sliceOf = ({ who, at, isSpread }: WantedRow): Slice | undefined =>
  who === 'memory' || isSpread ? undefined : monthOf(at)

/**
 * The rows at some keys, with some columns, as a part of a statement. Each month is read on its own:
 * otherwise the engine would look for each key in all months. A place may also have rows of other messages.
 */
export function itemsAt({ files }: Replaced, columns: string, wanted: readonly WantedRow[]): Raw {
  const isReplaced = ({ key }: WantedRow): boolean => files?.has(key.artifact) ?? true
  const groups = Map.groupBy(wanted, (each) => `${sliceOf(each)?.from} ${isReplaced(each)}`)
  const selects = Array.from(groups.values(), (rows) => {
    const slice = sliceOf(rows[0]!)
    const keys = rows.map(
      ({ key: { artifact, generation, line, order } }) => `(${artifact}, ${generation}, ${line}, ${order})`,
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
