import type { DatabaseSync } from 'node:sqlite'
import type { DayFigures } from '../../figures.ts'

/** The maximum number of figures in memory, unless the cache is limited further. */
const MOST = 300_000
/** The approximate size of a figure. */
const BYTES = 400

/** An in-memory cache of the sums of whole days. Call it within a transaction. */
export interface DaysAtHand {
  /** The cached days. Empty if anything was written since. */
  days(scope: string): ReadonlyMap<number, DayFigures>
  add(day: number, sums: DayFigures): void
  /** Call this after own writes that do not change any sums. */
  stillHold(): void
  /** Caches at most this much from now on, in KiB. */
  limit(kibibytes: number): void
}

export function createDaysAtHand(database: DatabaseSync): DaysAtHand {
  const sql = {
    own: database.prepare('SELECT total_changes() AS written'),
    others: database.prepare('PRAGMA data_version'),
  }
  const ownNow = (): number => Number(sql.own.get()!.written)
  let held = { scope: '', own: -1, others: -1 }
  let days = new Map<number, DayFigures>()
  let figures = 0
  let most = MOST
  return {
    days(scope) {
      const now = { scope, own: ownNow(), others: Number(sql.others.get()!.data_version) }
      if (now.scope !== held.scope || now.own !== held.own || now.others !== held.others) {
        days = new Map()
        figures = 0
        held = now
      }
      return days
    },
    add(day, sums) {
      figures += sums.usage.length + sums.messages.length + sums.hours.length + sums.touched.length
      if (figures <= most) days.set(day, sums)
    },
    stillHold() {
      held.own = ownNow()
    },
    limit(kibibytes) {
      most = Math.min(MOST, Math.floor((kibibytes * 1024) / BYTES))
      days = new Map()
      held.own = -1
    },
  }
}
