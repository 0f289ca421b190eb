import type { Session } from '../../model/session.ts'
import { costOf, type Owner } from '../../stats/sum.ts'
import { zoneSpans } from '../../stats/zone.ts'
import type { ReadingContext } from '../kit/context.ts'
import { freshStore } from '../kit/fresh-store.ts'
import { ownersOf, prices } from '../stats/owners.ts'

const DAY_MS = 86_400_000

/** The cost of each session at list price, without its subagents. Undefined if nothing in it has a price. */
export async function costsOf(
  sessions: readonly Session[],
  context: ReadingContext,
): Promise<(session: Session) => number | undefined> {
  // Sums contain no secrets, and neither does the store.
  const { store } = freshStore({
    ...context,
    redact: true,
    storePath: context.storePath ?? ':memory:',
  })!
  const ownerOf = ownersOf(store, sessions, () => undefined)
  const first = sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), context.now)
  const sums = store.figures({ zone: zoneSpans(first, context.now) })
  const { priceOf } = await prices(sessions.length > 0)
  const costs = new Map<Owner, number>()
  for (const { day, usage } of sums)
    for (const figure of usage) {
      const owner = ownerOf(figure.artifact)
      const cost = owner && costOf(figure, new Date(day === null ? context.now : day * DAY_MS), priceOf)
      if (owner && cost !== undefined && figure.replies > 0) costs.set(owner, (costs.get(owner) ?? 0) + cost)
    }
  const bySession = new Map([...costs].map(([{ own }, cost]) => [own, cost]))
  return ({ path }) => bySession.get(path)
}
