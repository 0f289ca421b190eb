import type { Session } from '../model/session.ts'

/** How a session is gone on with in its own agent, or why it cannot be. */
export type Resumption =
  | { words: string[]; directory: string | null; unsure?: string }
  | { impossible: string }

/** Claude Code goes on where a session was; OpenClaw opens the conversation that a key leads to. */
export function resumption(session: Session): Resumption {
  const { platform, state, kind, id, cwds, goneMs } = session
  if (state === 'purged')
    return { impossible: 'only its prompts are left: the agent has deleted the transcript' }
  if (goneMs !== undefined) return { impossible: 'its transcript is gone' }
  if (platform === 'claude-code') {
    if (kind === 'subagent')
      return {
        impossible: `a subagent goes on only within its parent${session.parentSessionId ? `: ${session.parentSessionId}` : ''}`,
      }
    const directory = cwds[0]?.[0] ?? null
    return {
      words: ['claude', '--resume', id],
      directory,
      ...(directory === null ? { unsure: 'no record says in which folder: it has to be started there' } : {}),
    }
  }
  if (state !== 'live')
    return { impossible: `it was ${state}: OpenClaw goes on with what its key leads to now` }
  if (session.sessionKey === undefined)
    return { impossible: 'no index of OpenClaw names its key, and a session is opened by that' }
  return { words: ['openclaw', 'tui', '--session', session.sessionKey], directory: null }
}
