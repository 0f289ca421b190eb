import type { Session } from '../model/session.ts'

/**
 * Leaves out what is only another copy of a session: OpenClaw's moves into databases, and out of them, keep the file or the rows
 * they came from, and its renamings left state directories behind. The copy that tells most stays; the messages of all are
 * stored once anyway.
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

/** Copies are of the same session and begin at the same moment. Those that somebody asked for are listed. */
const keyOf = ({ platform, agent, id, startedMs, state }: Session): string | undefined =>
  platform === 'openclaw' && startedMs !== undefined && state !== 'backup'
    ? JSON.stringify([agent, id, startedMs])
    : undefined

const said = ({ human, agentMessages, toolCalls }: Session): number => human + agentMessages + toolCalls

const isBetter = (one: Session, other: Session): boolean =>
  said(one) - said(other) > 0 ||
  (said(one) === said(other) && other.state === 'archived' && one.state !== 'archived')
