import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import { longValues } from '../pi-records/long-values.ts'
import { recordedChanges } from '../pi-records/recorded-changes.ts'
import type { Platform, Resumption } from '../platform.ts'
import { cron } from './cron/book.ts'
import { closeConnections } from './database/connection.ts'
import { openSession } from './database/transcripts.ts'
import { delivery } from './delivery.ts'
import { discover } from './discover.ts'
import { documents, given, refused, roots } from './files.ts'
import { openclawIdentity } from './identity.ts'
import { moving } from './moving.ts'
import { describe } from './pending.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { restoring } from './restoring.ts'
import { recall, semanticMemory } from './semantic.ts'
import { SPAWN_WORDS, spawns, subagentRuns } from './subagents.ts'

export const openclaw: Platform = {
  id: openclawIdentity.id,
  identity: openclawIdentity,
  files: {
    roots,
    discover,
    refused,
    given,
    describe,
    open: (artifact) =>
      artifact.database === undefined ? undefined : openSession(artifact, artifact.database),
    close: closeConnections,
  },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  resume,
  cron,
  restoring,
  moving,
  memory: {
    documents,
    documentName: ({ agent, sessionId }) =>
      `workspace${agent === openclawIdentity.defaultAgent ? '' : `-${agent}`}/${sessionId}`,
    semantic: { list: semanticMemory, recall },
  },
  subagents: { runs: subagentRuns, spawns, spawnWords: SPAWN_WORDS },
}

/** OpenClaw opens the conversation of a session key. */
function resume({ state, sessionKey, root }: Session, environment: Environment): Resumption {
  if (state !== 'live') return { impossible: `it was ${state}: its key now belongs to another session` }
  if (sessionKey === undefined)
    return { impossible: 'no index of OpenClaw names its key, and a session is opened by that' }
  return {
    words: ['openclaw', 'tui', '--session='],
    id: sessionKey,
    variables: variableFor('OPENCLAW_STATE_DIR', root, openclawIdentity.folder, environment),
    directories: [],
  }
}
