import type { Session } from './session.ts'

type Begun = Pick<
  Session,
  'platform' | 'path' | 'kind' | 'startedMs' | 'firstPromptMs' | 'firstHuman' | 'firstProgram'
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

/** The client of a session, and the moment of its first prompt. */
export const beginningOf = ({ platform, startedMs, firstPromptMs = startedMs }: Begun): string | undefined =>
  firstPromptMs === undefined ? undefined : `${platform} ${firstPromptMs}`
