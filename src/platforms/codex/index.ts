import type { Environment } from '../../model/artifact.ts'
import type { Draft } from '../../model/event.ts'
import { asObject, asText, asTime } from '../../model/json.ts'
import type { Session } from '../../model/session.ts'
import { historyFile, variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { delivery } from './delivery.ts'
import { describe, discover, documents, given, refused, roots, summarizedThread } from './files.ts'
import { codexIdentity } from './identity.ts'
import { moving } from './moving.ts'
import { closeConnections } from './queue-statements.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { CHANGE_WORDS, recordedChanges } from './records/patches.ts'
import { SPAWN_WORDS, spawns } from './records/tools.ts'
import { restoring } from './restoring.ts'

/** Normalizes `{ session_id, ts, text }`, with the time in seconds. */
function normalizeHistory(entry: unknown): Draft | undefined {
  const line = asObject(entry)
  const text = asText(line?.text)
  if (!line || text === undefined || text.trim() === '') return undefined
  const at = asTime(line.ts)
  return {
    ...(at !== undefined && { at }),
    sessionId: asText(line.session_id),
    payload: { type: 'message', role: 'user', speaker: 'human', parts: [{ type: 'text', text }] },
  }
}

export const codex: Platform = {
  id: codexIdentity.id,
  identity: codexIdentity,
  files: { roots, discover, refused, describe, given, close: closeConnections },
  records: { normalize, knownFields, long: longValues, recordedChanges, changeWords: CHANGE_WORDS },
  delivery,
  resume,
  restoring,
  moving,
  history: { files: historyFile, normalize: normalizeHistory },
  memory: { documents, sessionOf: summarizedThread },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}

/** Codex resumes a thread wherever it is started. A file that continues a thread has the thread's id. */
function resume(
  { kind, id, parentSessionId, otherIds, root, cwds }: Session,
  environment: Environment,
): Resumption {
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  const thread = parentSessionId !== undefined && otherIds.includes(parentSessionId) ? parentSessionId : id
  return {
    words: ['codex', 'resume', '--'],
    id: thread,
    variables: variableFor('CODEX_HOME', root, codexIdentity.folder, environment),
    directories: cwds.slice(0, 1).map(([path]) => path),
  }
}
