import type { StatsRow } from '../../api/shapes.ts'
import type { Column } from '../../parts/column.ts'
import { modelName } from '../../text/names.ts'

/** More models than colors: the rest are one series. */
const MOST_SERIES = 5
const OTHERS = 'others'

export interface Stacked {
  series: string[]
  columns: Column[]
}

type Figure = 'cost' | 'tokens'

const amountOf = (model: NonNullable<StatsRow['models']>[number], figure: Figure): number =>
  figure === 'cost'
    ? (model.cost ?? 0)
    : model.inputTokens + model.outputTokens + model.cacheReadTokens + model.cacheCreationTokens

/** Rows by time, divided by model: the biggest models first. */
export function byModel(rows: readonly StatsRow[], figure: Figure): Stacked {
  const totals = new Map<string, number>()
  for (const row of rows)
    for (const each of row.models ?? []) {
      const name = modelName(each.model)
      totals.set(name, (totals.get(name) ?? 0) + amountOf(each, figure))
    }
  const names = [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const series = names.length > MOST_SERIES ? [...names.slice(0, MOST_SERIES), OTHERS] : names
  const columns = rows.map((row) => {
    const parts = series.map(() => 0)
    for (const each of row.models ?? []) {
      const at = series.indexOf(modelName(each.model))
      parts[at < 0 ? series.length - 1 : at]! += amountOf(each, figure)
    }
    return { name: row.key, parts }
  })
  return { series, columns }
}
