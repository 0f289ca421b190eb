import type { Session } from '../../model/session.ts'
import type { Owner, PriceOf } from '../../stats/sum.ts'
import type { Writer } from '../../store/store.ts'

/** Returns a function that maps files of the store to these sessions. */
export function ownersOf(
  store: Writer,
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
  for (const { id, artifact, device } of store.known().values()) {
    const owner =
      byPath.get(artifact.path) ?? owners.get(scopeOf({ ...artifact, id: artifact.sessionId, device }))
    if (owner) byArtifact.set(id, owner)
  }
  return (artifact) => byArtifact.get(artifact)
}

/** Copies of a session on one machine count as the same session. */
const scopeOf = ({
  platform,
  agent,
  id,
  device = '',
}: Pick<Session, 'platform' | 'agent' | 'id' | 'device'>): string => `${platform} ${agent} ${id} ${device}`

const ownerOf = (
  { platform, agent, id, path, parentSessionId, device, person }: Session,
  project = '(none)',
): Owner => ({
  ...{ platform, agent, project, device, person },
  session: parentSessionId ?? id,
  own: path,
})

interface Prices {
  priceOf: PriceOf
  /** What changes the price of requests to a model and is not in their cost. */
  notPriced(model: string): string | undefined
}

/** The catalog of prices is large, so it is loaded lazily. */
export async function prices(needed: boolean): Promise<Prices> {
  if (!needed) return { priceOf: () => undefined, notPriced: () => undefined }
  return await import('../../prices/catalog.ts')
}
