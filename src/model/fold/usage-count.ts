import type { ReplyUsage, Usage } from '../event.ts'
import { type IdHash, keyOf } from '../hash.ts'
import { type CountedUsage, createStatedUsage, type StatedState } from './stated-usage.ts'

function replace(known: CountedUsage, usage: Usage): void {
  Object.assign(known, usage)
  known.cacheWriteHour = usage.cacheWriteHour
}

export function addUsage(total: Usage, usage: Usage): void {
  total.input += usage.input
  total.output += usage.output
  total.cacheRead += usage.cacheRead
  total.cacheWrite += usage.cacheWrite
  if (usage.cacheWriteHour) total.cacheWriteHour = (total.cacheWriteHour ?? 0) + usage.cacheWriteHour
  if (usage.cost !== undefined) total.cost = (total.cost ?? 0) + usage.cost
}

const NO_TOKENS: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The usage counted so far, as plain data. */
export interface UsageState {
  /** By reply. Negative keys hold the client's own totals. */
  usages: ReadonlyMap<number, CountedUsage>
  /** The client's first and last running total, by session and model. */
  stated: StatedState
}

/** Usage by reply. Every line of a reply repeats it; the last line has the largest figures. */
export function createUsageCount(session: string, inherited?: readonly ReplyUsage[], before?: UsageState) {
  const usages = new Map<number, CountedUsage>(before?.usages)
  /** Replies whose usage changed since this count began. */
  const changed = new Set<number>()
  const stated = createStatedUsage({ session, inherited, usages, changed }, before?.stated)
  /** The previous reply, because lines of one reply mostly follow each other. */
  let latest: { high: number; low: number; usage: CountedUsage } | undefined
  return {
    usages,
    changed,
    add(id: IdHash, usage: Usage, at?: number, model?: string): void {
      const { high, low } = id
      if (latest && latest.high === high && latest.low === low) {
        if (usage.output >= latest.usage.output) replace(latest.usage, usage)
        return
      }
      const key = keyOf(id)
      changed.add(key)
      let known = usages.get(key)
      if (!known) {
        known = { ...usage, at, model }
        usages.set(key, known)
      } else if (usage.output >= known.output) replace(known, usage)
      latest = { high, low, usage: known }
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
      const { at: _, ...usage } = known
      return usage
    },
    /** The client's own totals. */
    stated,
    save: (): UsageState => ({ usages, stated: stated.save() }),
    total(): Usage | undefined {
      if (usages.size === 0) return undefined
      const total: Usage = { ...NO_TOKENS }
      for (const [reply, usage] of usages)
        addUsage(total, reply > 0 ? usage : { ...NO_TOKENS, cost: usage.cost })
      return total
    },
    /** The client's own total. Undefined if it recorded none. */
    recorded(): Usage | undefined {
      let total: Usage | undefined
      for (const [reply, usage] of usages)
        if (reply < 0) {
          total ??= { ...NO_TOKENS }
          addUsage(total, usage)
        }
      return total
    },
  }
}

export type UsageCount = ReturnType<typeof createUsageCount>
