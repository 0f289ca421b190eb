import { basename, dirname } from 'node:path'
import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { delivery } from './delivery.ts'
import { discover, open, refused, roots } from './files.ts'
import { clineIdentity } from './identity.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { recordedChanges, SPAWN_WORDS, spawns } from './records/tools.ts'

export const cline: Platform = {
  id: clineIdentity.id,
  identity: clineIdentity,
  files: { roots, discover, refused, open },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  resume,
  restoring: {
    impossible:
      'Cline keeps a session in documents and in a database of its own that lists it, and an archive has its lines',
  },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}

/** A session is resumed in the terminal by its id. */
function resume({ kind, id, parentSessionId, root, cwds }: Session, environment: Environment): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  const isUsual = basename(root) === basename(clineIdentity.folder)
  return {
    words: ['cline', '-i', '--id='],
    id,
    variables: isUsual
      ? variableFor('CLINE_DIR', dirname(root), dirname(clineIdentity.folder), environment)
      : { CLINE_SESSION_DATA_DIR: root },
    directories: cwds.map(([path]) => path),
  }
}
