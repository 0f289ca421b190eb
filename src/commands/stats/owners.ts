import type { Session } from '../../model/session.ts'
import type { Owner, PriceOf } from '../../stats/sum.ts'
import type { Writer } from '../../store/store.ts'

/** Returns a function that maps files of the store to these sessions. */
export function ownersOf(
  store: Writer,
  sessions: readonly Session[],
  nameOf: (session: Session) => string | undefined,
): (artifact: number) => Owner | undefined {
  const owners = new Map(sessions.map((session) => [scopeOf(session), ownerOf(session, nameOf(session))]))
  const byArtifact = new Map<number, Owner>()
  for (const { id, artifact } of store.known().values()) {
    const owner = owners.get(scopeOf({ ...artifact, id: artifact.sessionId }))
    if (owner) byArtifact.set(id, owner)
  }
  return (artifact) => byArtifact.get(artifact)
}

/** Copies of a session count as the same session. */
const scopeOf = ({ platform, agent, id }: Pick<Session, 'platform' | 'agent' | 'id'>): string =>
  `${platform} ${agent} ${id}`

const ownerOf = ({ platform, agent, id, path, parentSessionId }: Session, project = '(none)'): Owner => ({
  ...{ platform, agent, project },
  session: parentSessionId ?? id,
  own: path,
})

/** The catalog of prices is large, so it is loaded lazily. */
export async function prices(needed: boolean): Promise<PriceOf> {
  if (!needed) return () => undefined
  const { priceOf } = await import('../../prices/catalog.ts')
  return priceOf
}
