import type { Session } from './session.ts'

type Begun = Pick<
  Session,
  | 'platform'
  | 'path'
  | 'id'
  | 'kind'
  | 'startedMs'
  | 'firstPromptMs'
  | 'firstPromptId'
  | 'firstHuman'
  | 'firstProgram'
>

/**
 * The same for a session and its forks and copies, which begin with the same prompt at the same moment.
 * Copies of two clients differ. Subagents that were started together may have the same task; the copies of
 * one, which a fork of its parent has, have its id.
 */
export function conversationOf(session: Begun): string {
  const { path, id, kind, firstHuman, firstProgram } = session
  const beginning = beginningOf(session)
  const first = firstHuman ?? firstProgram
  if (beginning === undefined || first === undefined) return path
  return `${beginning} ${kind === 'subagent' ? `${id} ` : ''}${first}`
}

/** The client of a session, and what its first prompt and the copies of it have in common. */
export function beginningOf({
  platform,
  startedMs,
  firstPromptMs,
  firstPromptId,
}: Begun): string | undefined {
  const first = firstPromptId ?? firstPromptMs ?? startedMs
  return first === undefined ? undefined : `${platform} ${first}`
}

/** Originals before their forks, and those in the order in which they were made. */
export const originalsFirst = <One extends Pick<Session, 'forked' | 'forkedMs'>>(
  sessions: readonly One[],
): One[] => sessions.toSorted((one, other) => forkTime(one) - forkTime(other))

const forkTime = ({
  forked,
  forkedMs = Number.MAX_SAFE_INTEGER,
}: Pick<Session, 'forked' | 'forkedMs'>): number => (forked ? forkedMs : 0)
