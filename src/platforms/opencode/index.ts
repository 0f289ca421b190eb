import { basename, dirname } from 'node:path'
import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { closeConnections } from './database/sessions.ts'
import { delivery } from './delivery.ts'
import { discover, open, refused, roots } from './files.ts'
import { opencodeIdentity } from './identity.ts'
import { moving } from './moving.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { SPAWN_WORDS, spawns } from './records/tools.ts'

/** OpenCode: sessions in a database, or in many small files before 1.2. */
export const opencode: Platform = {
  id: opencodeIdentity.id,
  identity: opencodeIdentity,
  files: {
    roots,
    discover,
    refused,
    open,
    close: closeConnections,
  },
  records: { normalize, knownFields, long: longValues },
  delivery,
  resume,
  restoring: {
    impossible:
      'OpenCode keeps sessions in a database, in which Scrollback does not write: other tables in it contain keys, and its form changes with each version',
  },
  moving,
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}

/** A session is resumed by its id where it ran. */
function resume(
  { kind, id, state, parentSessionId, root, cwds }: Session,
  environment: Environment,
): Resumption {
  if (state === 'purged') return { impossible: 'only prompts are left, of several sessions' }
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  // The variable names the folder above.
  const above = dirname(root)
  const isUsual = basename(root) === 'opencode'
  return {
    words: ['opencode', '--session='],
    id,
    variables: isUsual ? variableFor('XDG_DATA_HOME', above, '.local/share', environment) : {},
    directories: cwds.map(([path]) => path),
  }
}
