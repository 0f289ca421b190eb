import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { historyFile, variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { ownerOf, recordFacts, table } from './delivery.ts'
import { describe, discover } from './discover.ts'
import { documents, given, refused, roots } from './files.ts'
import { claudeCodeIdentity } from './identity.ts'
import { moving } from './moving.ts'
import { normalizeHistory, typedForms } from './prompt-history.ts'
import { recordedChanges } from './records/blocks.ts'
import { knownFields } from './records/known-types.ts'
import { longValues } from './records/long-values.ts'
import { normalize, skip } from './records/normalize.ts'
import { SPAWN_WORDS, spawns } from './records/spawns.ts'
import { restoring } from './restoring.ts'
import { openSessions } from './small-files.ts'

export const claudeCode: Platform = {
  id: claudeCodeIdentity.id,
  identity: claudeCodeIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields, long: longValues, recordedChanges, skip },
  delivery: { table, record: recordFacts, ownerOf, typedForms },
  resume,
  openSessions,
  restoring,
  moving,
  history: { files: historyFile, normalize: normalizeHistory },
  memory: { documents },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}

/** Claude Code resumes a session in the directory in which it ran. */
function resume(
  { kind, id, parentSessionId, root, cwds, origins }: Session,
  environment: Environment,
): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  return {
    words: ['claude', '--resume='],
    id,
    variables: variableFor('CLAUDE_CONFIG_DIR', root, claudeCodeIdentity.folder, environment),
    // A worktree may be gone, but its original directory mostly exists.
    directories: [...cwds.slice(0, 1).map(([path]) => path), ...origins.toReversed()],
    elsewhere:
      'recent versions of Claude Code find the session from any folder, older ones only from that one',
  }
}
