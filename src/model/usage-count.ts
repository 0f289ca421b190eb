import type { ReplyUsage, Usage } from './event.ts'
import { hashText, type IdHash } from './id-set.ts'

/** Usage of one reply, with the time and the model it was first counted with. */
export interface CountedUsage extends ReplyUsage {
  at?: number
}

const keyOf = ({ high, low }: IdHash): number => (high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff)

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

/** What was counted of a file so far: plain data. */
export interface UsageState {
  /** By reply; below 0 what the agent added up itself. */
  usages: ReadonlyMap<number, CountedUsage>
  /** Dollars that it had added up when it said so last, by session and model. */
  stated: ReadonlyMap<string, number>
}

/** Usage by reply. Every line of a reply repeats it; the largest is the one at its end. */
export function createUsageCount(before?: UsageState) {
  const usages = new Map<number, CountedUsage>(before?.usages)
  const stated = new Map(before?.stated)
  /** Replies that were added to since this count began. */
  const changed = new Set<number>()
  const hash: IdHash = { high: 0, low: 0 }
  /** Lines of one reply mostly follow each other. */
  let latest: { high: number; low: number; usage: CountedUsage } | undefined
  return {
    /** By reply. */
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
    /**
     * What the agent has added up until now counts as far as it had not when it said so last. A smaller sum was begun anew. The same sum in a
     * copy of the file is the same.
     */
    state(session: string, dollars: number, at?: number, model?: string): void {
      const scope = JSON.stringify([session, model])
      const last = stated.get(scope) ?? 0
      if (dollars === last) return
      stated.set(scope, dollars)
      hashText(`${scope} ${dollars}`, hash)
      const key = -keyOf(hash)
      if (usages.has(key)) return
      changed.add(key)
      const cost = dollars > last ? dollars - last : dollars
      usages.set(key, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost, at, model })
    },
    /** The number of a reply that was counted. */
    numberOf(id: IdHash): number | undefined {
      const key = keyOf(id)
      return usages.has(key) ? key : undefined
    },
    /** What a reply used, as far as it is known. */
    of(reply: number): ReplyUsage | undefined {
      const known = usages.get(reply)
      if (!known) return undefined
      const { at: _, ...usage } = known
      return usage
    },
    save: (): UsageState => ({ usages, stated }),
    total(): Usage | undefined {
      if (usages.size === 0) return undefined
      const total: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
      for (const usage of usages.values()) addUsage(total, usage)
      return total
    },
  }
}

export type UsageCount = ReturnType<typeof createUsageCount>
