import { join } from 'node:path'
import type { Environment } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'
import { shellWord } from './shell-word.ts'

/** How a session is gone on with in its own agent, or why it cannot be. */
export type Resumption =
  | {
      words: string[]
      /** Variables that tell the agent where its sessions lie, where they do not lie in the usual place. */
      variables: Record<string, string>
      /** Where it took place, most likely first. */
      directories: string[]
    }
  | { impossible: string }

/** Claude Code goes on where a session was; OpenClaw opens the conversation that a key leads to. */
export function resumption(session: Session, environment: Environment): Resumption {
  const { platform, state, kind, id, cwds, origins, goneMs, root } = session
  if (state === 'purged')
    return { impossible: 'only its prompts are left: the agent has deleted the transcript' }
  if (goneMs !== undefined) return { impossible: 'its transcript is gone' }
  if (platform === 'claude-code') {
    if (kind === 'subagent')
      return {
        impossible: `a subagent goes on only within its parent${session.parentSessionId ? `: ${session.parentSessionId}` : ''}`,
      }
    return {
      words: ['claude', '--resume', id],
      variables: variableFor('CLAUDE_CONFIG_DIR', root, '.claude', environment),
      // A worktree may be gone; what it was made from mostly is not.
      directories: [...cwds.slice(0, 1).map(([path]) => path), ...origins.toReversed()],
    }
  }
  if (state !== 'live')
    return { impossible: `it was ${state}: OpenClaw goes on with what its key leads to now` }
  if (session.sessionKey === undefined)
    return { impossible: 'no index of OpenClaw names its key, and a session is opened by that' }
  return {
    words: ['openclaw', 'tui', '--session', session.sessionKey],
    variables: variableFor('OPENCLAW_STATE_DIR', root, '.openclaw', environment),
    directories: [],
  }
}

function variableFor(
  name: string,
  root: string,
  usual: string,
  { home, variables }: Environment,
): Record<string, string> {
  const own = variables[name] || join(home, usual)
  return own === root ? {} : { [name]: root }
}

/** The same as a line for a shell. */
export function resumeLine(
  words: readonly string[],
  variables: Record<string, string>,
  directory: string | null,
): string {
  const line = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`),
    ...words.map(shellWord),
  ].join(' ')
  return directory === null ? line : `cd ${shellWord(directory)} && ${line}`
}
