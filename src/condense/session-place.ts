import type { Session } from '../model/session.ts'
import { shortKey, shortLabel, shortPeer, withoutPeer } from './peers.ts'

/** What a session and its row as JSON have alike. */
interface Placed {
  kind: string | null
  entry?: { surface?: string; channel?: string; peer?: string }
}

/** Where a session took place, in a few words: `telegram direct 55…00`. Empty where its kind says as much. */
export function placeWords({ kind, entry }: Placed): string {
  const { surface, channel, peer } = entry ?? {}
  const finer = surface === kind || surface === 'cron-run' ? undefined : surface
  return [channel === finer ? undefined : channel, finer, peer].filter(Boolean).join(' ')
}

/** What an agent started by itself is named after a task, not after a person. */
const TASKS: ReadonlySet<string | undefined> = new Set(['cron', 'cron-run', 'subagent', 'hook', 'boot'])

/** A row of the index in which no number, address or handle of a person stands whole. */
export function withoutIdentities(session: Session): Session {
  const { entry, sessionKey, title } = session
  if (entry === undefined && sessionKey === undefined) return session
  const peer = entry?.peer
  const short = (text: string | undefined, by: (text: string) => string): string | undefined =>
    text === undefined ? undefined : withoutPeer(by(text), peer)
  const label = TASKS.has(entry?.surface) ? (text: string) => text : shortLabel
  const named = title !== undefined && (title === entry?.origin || title === entry?.name)
  return {
    ...session,
    title: short(title, named ? label : (text) => text),
    sessionKey: short(sessionKey, shortKey),
    ...(entry && {
      entry: {
        ...entry,
        ...(peer !== undefined && { peer: shortPeer(peer) }),
        ...(entry.name !== undefined && { name: short(entry.name, label) }),
        ...(entry.origin !== undefined && { origin: short(entry.origin, shortLabel) }),
        ...(entry.spawnedBy !== undefined && { spawnedBy: short(entry.spawnedBy, shortKey) }),
      },
    }),
  }
}
