import type { Session } from '../model/session.ts'
import { shortKey, shortLabel, shortPeer, withoutPeer } from './peers.ts'

/** The common fields of a session and its JSON form. */
interface Located {
  kind: string | null
  entry?: { surface?: string; channel?: string; peer?: string }
}

/** Describes where a session takes place: `telegram direct 55…00`. Empty if the kind says the same. */
export function surfaceText({ kind, entry }: Located): string {
  const { surface, channel, peer } = entry ?? {}
  const finer = surface === kind || surface === 'cron-run' ? undefined : surface
  return [channel === finer ? undefined : channel, finer, peer].filter(Boolean).join(' ')
}

/** Surfaces of sessions that an agent started by itself. They are named after a task, not a person. */
const TASKS: ReadonlySet<string | undefined> = new Set(['cron', 'cron-run', 'subagent', 'hook', 'boot'])

/** Shortens the numbers, addresses and handles of people in a session. */
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
