import type { Artifact } from '../../../model/artifact.ts'
import type { Session } from '../../../model/session.ts'
import { identityOf } from '../../../platforms/identities.ts'

/**
 * A session of one client may run through another client, so that both have a transcript: one with the
 * messages, the other with the agent's actions. Joins them to one session with the counts of both.
 */
export function joinRuntimes(sessions: readonly Session[]): Session[] {
  const wanted = new Set(sessions.flatMap(({ entry }) => entry?.runtimeSessions ?? []))
  if (wanted.size === 0) return [...sessions]
  const twins = new Map(
    sessions
      .filter(
        ({ platform, id, kind }) => identityOf(platform).runsInside && kind !== 'subagent' && wanted.has(id),
      )
      .map((session) => [session.id, session]),
  )
  const joined = new Set<Session>()
  const rows = sessions.map((session) => {
    const own = (session.entry?.runtimeSessions ?? []).flatMap((id) => twins.get(id) ?? [])
    if (own.length === 0 || identityOf(session.platform).runsInside) return session
    for (const twin of own) joined.add(twin)
    return both(session, own)
  })
  return rows.filter((session) => !joined.has(session))
}

/** One transcript repeats part of the calls and tokens of the other, so the larger figure counts. */
function both(session: Session, twins: readonly Session[]): Session {
  const sum = (figure: 'toolCalls' | 'errors' | 'possibleErrors'): number =>
    Math.max(
      session[figure],
      twins.reduce((total, twin) => total + twin[figure], 0),
    )
  return {
    ...session,
    toolCalls: sum('toolCalls'),
    errors: sum('errors'),
    possibleErrors: sum('possibleErrors'),
    usage: twins.reduce<Session['usage']>((usage, twin) => larger(usage, twin.usage), session.usage),
    ranThrough: twins.map(({ id, path }) => ({ id, path })),
  }
}

const totalOf = (usage: Session['usage']): number =>
  usage ? usage.input + usage.output + usage.cacheRead + usage.cacheWrite : 0

const larger = (one: Session['usage'], other: Session['usage']): Session['usage'] =>
  totalOf(other) > totalOf(one) ? other : one

/** The ids of sessions that others ran through. */
export const runtimeIds = (artifacts: readonly Artifact[]): ReadonlySet<string> =>
  new Set(artifacts.flatMap(({ entry }) => entry?.runtimeSessions ?? []))
