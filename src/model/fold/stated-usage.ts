import type { ReplyUsage, Usage } from '../event.ts'
import { hashText, keyOf } from '../hash.ts'
import type { UsageTable } from './state/usage-table.ts'

/** The client's running total for one model up to a line. */
export interface Statement {
  line: number
  /** Identifies the running total. A fork continues that of its parent. */
  sum: number
  model?: string
  used: Usage
}

/** The first and last total of one session for one model, as plain data. */
interface Stated {
  last: Usage
  first: { key: number; used: Usage; at?: number; model?: string }
}

export type StatedState = ReadonlyMap<string, Stated>

interface StatedOptions {
  session: string
  /** The parent's total when this session was forked, by model. */
  inherited?: readonly ReplyUsage[]
  /** Receives what each total adds, under negative keys. */
  usages: Pick<UsageTable, 'get' | 'has' | 'set'>
  changed: Set<number>
}

const FIGURES = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'cost'] as const

/**
 * Counts the client's running totals. Each total counts by its increase over the previous one; a smaller
 * total began at zero. The same total in a copy of the file has the same key.
 */
export function createStatedUsage(options: StatedOptions, before?: StatedState) {
  const { session: own, inherited = [], usages, changed } = options
  const stated = new Map(before)
  const statements: Statement[] = []
  const hash = { high: 0, low: 0 }
  const inheritedOf = (used: Usage, model: string | undefined): Usage | undefined =>
    inherited.find((each) => each.model === model && !exceeds(each, used))

  function count(key: number, used: Usage, since: Usage | undefined, at?: number, model?: string): void {
    changed.add(key)
    usages.set(key, { ...(since && !exceeds(since, used) ? rise(since, used) : used), at, model })
  }

  // The parent may become known after the first total was counted.
  for (const [scope, { first }] of stated)
    if (scope.startsWith(scopeOf(own))) {
      const { key, used, at, model } = first
      const since = inheritedOf(used, model)
      const counted = usages.get(key)?.cost ?? 0
      if (counted !== (used.cost ?? 0) - (since?.cost ?? 0)) count(key, used, since, at, model)
    }

  return {
    state(
      session: string,
      { model, ...used }: ReplyUsage,
      position: { line: number; sum?: number; at?: number },
    ): void {
      const { line, sum, at } = position
      const scope = `${scopeOf(session)}${JSON.stringify(model)}`
      const known = stated.get(scope)
      if (session === own && sum !== undefined)
        statements.push({ line, sum, ...(model ? { model } : {}), used })
      if (known && FIGURES.every((name) => (known.last[name] ?? 0) === (used[name] ?? 0))) return
      hashText(`${scope} ${FIGURES.map((name) => used[name] ?? 0).join(' ')}`, hash)
      const key = -keyOf(hash)
      const since = known ? known.last : session === own ? inheritedOf(used, model) : undefined
      stated.set(scope, { last: used, first: known?.first ?? { key, used, at, model } })
      if (!usages.has(key)) count(key, used, since, at, model)
    },
    /** Takes the totals since the last call. */
    drain: (): Statement[] => statements.splice(0),
    save: (): StatedState => stated,
  }
}

const scopeOf = (session: string): string => `${JSON.stringify(session)} `

/** Whether any figure of one usage exceeds that of another. */
const exceeds = (usage: Usage, other: Usage): boolean =>
  FIGURES.some((name) => (usage[name] ?? 0) > (other[name] ?? 0))

function rise(since: Usage, used: Usage): Usage {
  const more: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  for (const name of FIGURES) {
    const figure = (used[name] ?? 0) - (since[name] ?? 0)
    if (used[name] !== undefined) more[name] = figure
  }
  return more
}
