import { dirname } from 'node:path'
import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { delivery } from './delivery.ts'
import { discover, given, openDocument, refused, roots } from './files.ts'
import { geminiCliIdentity } from './identity.ts'
import { histories, normalizeHistory, openHistory } from './prompt-history.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { SPAWN_WORDS, spawns } from './records/tools.ts'

export const geminiCli: Platform = {
  id: geminiCliIdentity.id,
  identity: geminiCliIdentity,
  files: { roots, discover, refused, open: openDocument, given },
  records: { normalize, knownFields },
  delivery,
  history: { files: histories, open: openHistory, normalize: normalizeHistory },
  resume,
  restoring: {
    impossible: (below) =>
      below.endsWith('.json')
        ? 'it was one JSON document, of which its lines are left, and the client reads them only in a file of its newer form'
        : undefined,
    directories: [],
  },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}

/** A session is resumed by its whole id, which is in the file, from the directory it ran in. */
function resume(
  { kind, id, parentSessionId, otherIds, root, cwds }: Session,
  environment: Environment,
): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  return {
    words: ['gemini', '--resume', otherIds.find((other) => other.startsWith(id)) ?? id],
    variables: variableFor('GEMINI_CLI_HOME', dirname(root), '', environment),
    directories: cwds.map(([path]) => path),
  }
}
