import type { ReadingContext } from '../context/context.ts'
import { freshStore } from '../context/fresh-store.ts'
import { isAskedFor } from '../model/artifact.ts'
import { isOfPeople, type Session } from '../model/session.ts'
import { costOf, type Owner, type PriceOf } from '../stats/summarize.ts'
import { zoneSpans } from '../stats/zone.ts'
import type { Known } from '../store/increment.ts'
import { FEW, knownFiles, type Store } from '../store/store.ts'

const DAY_MS = 86_400_000

/**
 * The cost of each session at list price, without its subagents, or of its part in a span of time in ms.
 * Undefined if nothing in it has a price, and 0 if nothing of it was used in that span.
 */
export async function costsOf(
  sessions: readonly Session[],
  context: ReadingContext,
  span: { fromMs?: number; untilMs?: number } = {},
): Promise<(session: Session) => number | undefined> {
  const { store } = freshStore(context)
  const ownerOf = ownersOf(store, sessions, () => undefined)
  const first = sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), context.now)
  const sums = store.figures({ zone: zoneSpans(first, context.now), ...span })
  const { priceOf } = await prices(sessions.length > 0)
  const costs = new Map<string, number | undefined>()
  for (const { day, usage } of sums)
    for (const figure of usage) {
      const own = ownerOf(figure.artifact)?.own
      if (own === undefined || figure.replies === 0) continue
      const cost = costOf(figure, new Date(day === null ? context.now : day * DAY_MS), priceOf)
      const before = costs.get(own)
      costs.set(own, typeof cost === 'number' ? (before ?? 0) + cost : before)
    }
  const isPart = span.fromMs !== undefined || span.untilMs !== undefined
  return ({ path, usage }) => (isPart && usage && !costs.has(path) ? 0 : costs.get(path))
}

/** Returns a function that maps files of the store to these sessions. */
export function ownersOf(
  store: Files,
  sessions: readonly Session[],
  nameOf: (session: Session) => string | undefined,
): (artifact: number) => Owner | undefined {
  const owners = new Map<string, Owner>()
  const byPath = new Map<string, Owner>()
  for (const session of sessions) {
    const owner = ownerOf(session, nameOf(session))
    owners.set(scopeOf(session), owner)
    // A fork has copies of the subagents of its original, under the same ids.
    byPath.set(session.path, owner)
  }
  const byArtifact = new Map<number, Owner>()
  for (const { id, artifact, device } of filesOf(store, sessions)) {
    // What an earlier command read on request counts only if this one asks for it, by its path.
    const isCopy = isAskedFor(artifact.state, {})
    const scope = scopeOf({ ...artifact, id: artifact.sessionId, device })
    const owner = byPath.get(artifact.path) ?? (isCopy ? owners.get(scope) : undefined)
    if (owner) byArtifact.set(id, owner)
  }
  return (artifact) => byArtifact.get(artifact)
}

type Files = Pick<Store, 'known' | 'knownFile' | 'pathsOf'>

/** The files in the store that may belong to these sessions. */
function filesOf(store: Files, sessions: readonly Session[]): Iterable<Known> {
  if (sessions.length > FEW) return store.known().values()
  return knownFiles(store, [...new Set(sessions.flatMap(({ id, path }) => [path, ...store.pathsOf(id)]))])
}

/** Copies of a session on one machine count as the same session. */
const scopeOf = ({
  platform,
  agent,
  id,
  device = '',
}: Pick<Session, 'platform' | 'agent' | 'id' | 'device'>): string => `${platform} ${agent} ${id} ${device}`

const ownerOf = (
  { platform, agent, id, path, kind, parentSessionId, device, person, cwds }: Session,
  project = '(none)',
): Owner => ({
  platform,
  agent,
  project,
  device,
  person,
  // A fork counts for itself.
  session: (kind === 'subagent' ? parentSessionId : undefined) ?? id,
  own: path,
  folder: cwds[0]?.[0],
  isOfPeople: isOfPeople({ kind }),
})

interface Prices {
  priceOf: PriceOf
  /** What changes the price of requests to a model and is not in their cost. */
  notPriced(model: string): string | undefined
}

/** The catalog of prices is large, so it is loaded lazily. */
export async function prices(needed: boolean): Promise<Prices> {
  if (!needed) return { priceOf: () => undefined, notPriced: () => undefined }
  return await import('../prices/catalog.ts')
}
