import type { Artifact } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'

/**
 * A session of OpenClaw that ran through the program of Claude Code stands in both trees: what was said in the one, and what the agent did
 * in the other. It is one session, which counts what either tells of it.
 */
export function joinRuntimes(sessions: readonly Session[]): Session[] {
  const wanted = new Set(sessions.flatMap(({ entry }) => entry?.runtimeSessions ?? []))
  if (wanted.size === 0) return [...sessions]
  const twins = new Map(
    sessions
      .filter(({ platform, id, kind }) => platform === 'claude-code' && kind !== 'subagent' && wanted.has(id))
      .map((session) => [session.id, session]),
  )
  const joined = new Set<Session>()
  const rows = sessions.map((session) => {
    const own = (session.entry?.runtimeSessions ?? []).flatMap((id) => twins.get(id) ?? [])
    if (own.length === 0 || session.platform === 'claude-code') return session
    for (const twin of own) joined.add(twin)
    return both(session, own)
  })
  return rows.filter((session) => !joined.has(session))
}

/** What one tree tells of calls and tokens the other repeats in part: the larger figure holds. */
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

/** Ids of the sessions of Claude Code that others ran through. */
export const runtimeIds = (artifacts: readonly Artifact[]): ReadonlySet<string> =>
  new Set(artifacts.flatMap(({ entry }) => entry?.runtimeSessions ?? []))
