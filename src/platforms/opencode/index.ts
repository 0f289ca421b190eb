import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { openSession } from './database.ts'
import { delivery } from './delivery.ts'
import { discover, refused, roots } from './files.ts'
import { opencodeIdentity } from './identity.ts'
import { knownFields, normalize } from './records/normalize.ts'

/**
 * OpenCode since 1.2, which stores sessions in a database. It is not in the list of platforms yet: fixtures,
 * the files of older versions, the history of prompts and the page of its format are missing.
 */
export const opencode: Platform = {
  id: opencodeIdentity.id,
  identity: opencodeIdentity,
  files: {
    roots,
    discover,
    refused,
    open: (artifact) =>
      artifact.database === undefined ? undefined : openSession(artifact, artifact.database),
  },
  records: { normalize, knownFields },
  delivery,
  resume,
}

function resume({ kind, id, parentSessionId, root, cwds }: Session, environment: Environment): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  return {
    words: ['opencode', '--session', id],
    variables: variableFor('XDG_DATA_HOME', root.replace(/[/\\]opencode$/, ''), '.local/share', environment),
    directories: cwds.map(([path]) => path),
  }
}
