import type { Session } from './session.ts'

type Begun = Pick<
  Session,
  | 'platform'
  | 'path'
  | 'kind'
  | 'startedMs'
  | 'firstPromptMs'
  | 'firstPromptId'
  | 'firstHuman'
  | 'firstProgram'
>

/**
 * The same for a session and its forks and copies, which begin with the same prompt at the same moment.
 * Copies of two clients differ.
 */
export function conversationOf(session: Begun): string {
  const { path, kind, firstHuman, firstProgram } = session
  const beginning = beginningOf(session)
  const first = firstHuman ?? firstProgram
  return kind === 'subagent' || beginning === undefined || first === undefined
    ? path
    : `${beginning} ${first}`
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
