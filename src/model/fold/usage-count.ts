import type { ReplyUsage, Usage } from '../event.ts'
import { type IdHash, keyOf } from '../hash.ts'
import type { CountedUsage } from './counted-usage.ts'
import type { ChangedParts, StateParts } from './state/parts.ts'
import { UsageTable, type UsageTableState } from './state/usage-table.ts'
import { createStatedUsage, type StatedState } from './stated-usage.ts'

export function addUsage(total: Usage, usage: Usage): void {
  total.input += usage.input
  total.output += usage.output
  total.cacheRead += usage.cacheRead
  total.cacheWrite += usage.cacheWrite
  if (usage.cacheWriteHour) total.cacheWriteHour = (total.cacheWriteHour ?? 0) + usage.cacheWriteHour
  if (usage.cost !== undefined) total.cost = (total.cost ?? 0) + usage.cost
}

/** The usage counted so far, as plain data. */
export interface UsageState {
  table: UsageTableState
  /** The client's first and last running total, by session and model. */
  stated: StatedState
}

interface UsageCountOptions {
  session: string
  /** The parent's total when this session was forked, by model. */
  inherited?: readonly ReplyUsage[]
  parts: StateParts
}

/** Usage by reply. Every line of a reply repeats it; the last line has the largest figures. */
export function createUsageCount({ session, inherited, parts }: UsageCountOptions, before?: UsageState) {
  const usages = new UsageTable(parts, before?.table)
  /** Replies whose usage changed since this count began. */
  const changed = new Set<number>()
  const stated = createStatedUsage({ session, inherited, usages, changed }, before?.stated)
  /** The previous reply, because lines of one reply mostly follow each other. */
  let latest: { high: number; low: number; key: number; usage: CountedUsage } | undefined

  function replaced(key: number, known: CountedUsage, usage: Usage): CountedUsage {
    if (usage.output < known.output || isSame(known, usage)) return known
    const next = { ...known, ...usage, cacheWriteHour: usage.cacheWriteHour }
    usages.set(key, next)
    return next
  }

  return {
    usages,
    changed,
    /** Whether a reply with this id was counted that answers another request in another turn. */
    isOther(id: IdHash, request: number, turn: number): boolean {
      const known = latest && isId(latest, id) ? latest.usage : usages.get(keyOf(id))
      return known?.request !== undefined && known.request !== request && known.turn !== turn
    },
    add(id: IdHash, usage: Usage, facts: Pick<CountedUsage, 'at' | 'model' | 'request' | 'turn'> = {}): void {
      const { high, low } = id
      if (latest && isId(latest, id)) {
        latest.usage = replaced(latest.key, latest.usage, usage)
        return
      }
      const key = keyOf(id)
      changed.add(key)
      const known = usages.get(key)
      let counted: CountedUsage
      if (known) counted = replaced(key, known, usage)
      else {
        counted = { ...usage, ...facts }
        usages.set(key, counted)
      }
      latest = { high, low, key, usage: counted }
    },
    /** The number of a counted reply. */
    numberOf(id: IdHash): number | undefined {
      const key = keyOf(id)
      return usages.has(key) ? key : undefined
    },
    /** The usage of a reply, as far as known. */
    of(reply: number): ReplyUsage | undefined {
      const known = usages.get(reply)
      if (!known) return undefined
      const { at: _, request: __, turn: ___, ...usage } = known
      return usage
    },
    /** The client's own totals. */
    stated,
    save: (parts: ChangedParts): UsageState => ({ table: usages.save(parts), stated: stated.save() }),
  }
}

const isId = (one: IdHash, other: IdHash): boolean => one.high === other.high && one.low === other.low

/** Most lines of a reply repeat its usage. */
const isSame = (one: Usage, other: Usage): boolean =>
  one.input === other.input &&
  one.output === other.output &&
  one.cacheRead === other.cacheRead &&
  one.cacheWrite === other.cacheWrite &&
  one.cacheWriteHour === other.cacheWriteHour &&
  one.cost === other.cost

export type UsageCount = ReturnType<typeof createUsageCount>
