import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../environment-variable.ts'
import type { Resumption } from '../platform.ts'
import { claudeCodeIdentity } from './identity.ts'

/** Claude Code resumes a session in the directory in which it ran. */
export function resume(
  { kind, id, parentSessionId, root, cwds, origins }: Session,
  environment: Environment,
): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  return {
    words: ['claude', '--resume', id],
    variables: variableFor('CLAUDE_CONFIG_DIR', root, claudeCodeIdentity.folder, environment),
    // A worktree may be gone, but its original directory mostly exists.
    directories: [...cwds.slice(0, 1).map(([path]) => path), ...origins.toReversed()],
    elsewhere:
      'recent versions of Claude Code find the session from any folder, older ones only from that one',
  }
}
