import { statusLinePlatform } from '../../platforms/identities.ts'
import { runningBlock } from '../../stats/blocks.ts'
import { dayName } from '../../stats/calendar.ts'
import { tokensOf } from '../../stats/sum.ts'
import { summarize } from '../../stats/summarize.ts'
import { localOffset, zoneSpans } from '../../stats/zone.ts'
import type { Context } from '../kit/context.ts'
import { ownersOf, prices } from '../kit/costs.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { loadSessions } from '../kit/load-sessions.ts'
import type { StatusFigures } from './figures.ts'

const DAY_MS = 86_400_000
/** Sessions without activity for this long have no status line. */
const RECENT_MS = 2 * DAY_MS
const MOST_SESSIONS = 1000

/** The local day of a moment, as `2026-01-31`. */
export const dayAt = (ms: number): string => dayName(Math.floor((ms + localOffset(ms)) / DAY_MS))

/** Updates the store, and computes the figures of the status line. */
export async function statusFigures(context: Context): Promise<StatusFigures> {
  const own: Context = { ...context, redact: true, storePath: context.storePath ?? ':memory:' }
  const { store } = freshStore(own)!
  const { sessions } = loadSessions({ platform: statusLinePlatform().id }, own)
  const ownerOf = ownersOf(store, sessions, () => undefined)
  const { now } = context
  const first = sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), now)
  const sums = [...store.figures({ zone: zoneSpans(first, now) })]
  const { priceOf } = await prices(sums.some(({ usage }) => usage.length > 0))
  const day = dayAt(now)
  const today = summarize(
    sums.filter((each) => each.day !== null && dayName(each.day) === day),
    ownerOf,
    'day',
    priceOf,
  ).totals
  const recent = new Set(
    sessions
      .filter(({ lastActivityMs, modifiedMs }) => now - (lastActivityMs ?? modifiedMs) < RECENT_MS)
      .map(({ id }) => id),
  )
  const { rows } = summarize(sums, ownerOf, 'session', priceOf)
  const costs = rows
    .flatMap(({ key, cost }): [string, number][] => (cost !== null && recent.has(key) ? [[key, cost]] : []))
    .slice(0, MOST_SESSIONS)
  const block = runningBlock((fromMs) => store.minutes(fromMs), ownerOf, priceOf, now)
  return {
    version: 1,
    at: now,
    today: { day, cost: today.cost, tokens: tokensOf(today) },
    block: block?.pace
      ? {
          ...{ untilMs: block.untilMs, cost: block.cost, tokens: tokensOf(block) },
          ...{ costPerHour: block.pace.costPerHour, projectedCost: block.pace.projectedCost },
        }
      : null,
    sessions: Object.fromEntries(costs),
  }
}
