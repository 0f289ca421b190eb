import type { Session } from '../../../model/session.ts'
import { identityOf } from '../../../platforms/identities.ts'

/**
 * Leaves out copies of a session: when OpenClaw moves sessions into databases or out of them, it keeps the
 * original, and when it is renamed, it leaves old state directories. The most complete copy remains. The
 * messages of all copies are stored only once anyway.
 */
export function withoutCopies(sessions: readonly Session[]): Session[] {
  const best = new Map<string, Session>()
  for (const session of sessions) {
    const key = keyOf(session)
    const other = key === undefined ? undefined : best.get(key)
    if (key !== undefined && (!other || isBetter(session, other))) best.set(key, session)
  }
  return sessions.filter((session) => {
    const key = keyOf(session)
    return key === undefined || best.get(key) === session
  })
}

/** Copies have the same session and the same start. Requested backups are listed separately. */
const keyOf = ({ platform, agent, id, startedMs, state }: Session): string | undefined =>
  identityOf(platform).manyAgents && startedMs !== undefined && state !== 'backup'
    ? JSON.stringify([agent, id, startedMs])
    : undefined

const contentOf = ({ human, agentMessages, toolCalls }: Session): number => human + agentMessages + toolCalls

const isBetter = (one: Session, other: Session): boolean =>
  contentOf(one) - contentOf(other) > 0 ||
  (contentOf(one) === contentOf(other) && other.state === 'archived' && one.state !== 'archived')
