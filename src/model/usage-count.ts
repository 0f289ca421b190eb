import type { Usage } from './event.ts'
import type { IdHash } from './id-set.ts'

/** Usage of one reply, with the time and the model it was first counted with. */
export interface CountedUsage extends Usage {
  at?: number
  model?: string
}

function replace(known: CountedUsage, usage: Usage): void {
  Object.assign(known, usage)
  known.cacheWriteHour = usage.cacheWriteHour
}

/** Usage by reply. Every line of a reply repeats it; the largest is the one at its end. */
export function createUsageCount(before?: ReadonlyMap<number, CountedUsage>) {
  const usages = new Map<number, CountedUsage>(before)
  /** Replies that were added to since this count began. */
  const changed = new Set<number>()
  /** Lines of one reply mostly follow each other. */
  let latest: { high: number; low: number; usage: CountedUsage } | undefined
  return {
    /** By reply. */
    usages,
    changed,
    add({ high, low }: IdHash, usage: Usage, at?: number, model?: string): void {
      if (latest && latest.high === high && latest.low === low) {
        if (usage.output >= latest.usage.output) replace(latest.usage, usage)
        return
      }
      const key = (high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff)
      changed.add(key)
      let known = usages.get(key)
      if (!known) {
        known = { ...usage, at, model }
        usages.set(key, known)
      } else if (usage.output >= known.output) replace(known, usage)
      latest = { high, low, usage: known }
    },
    total(): Usage | undefined {
      if (usages.size === 0) return undefined
      const total: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
      for (const usage of usages.values()) {
        total.input += usage.input
        total.output += usage.output
        total.cacheRead += usage.cacheRead
        total.cacheWrite += usage.cacheWrite
        if (usage.cacheWriteHour) total.cacheWriteHour = (total.cacheWriteHour ?? 0) + usage.cacheWriteHour
        if (usage.cost !== undefined) total.cost = (total.cost ?? 0) + usage.cost
      }
      return total
    },
  }
}
