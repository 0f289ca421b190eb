import type { Platform } from '../platform.ts'
import { cron } from './cron/book.ts'
import { delivery } from './delivery.ts'
import { discover } from './discover.ts'
import { documents } from './documents.ts'
import { closeConnections } from './eras/connection.ts'
import { openSession } from './eras/open-session.ts'
import { given } from './given.ts'
import { openclawIdentity } from './identity.ts'
import { knownFields } from './records/known-fields.ts'
import { normalize } from './records/normalize.ts'
import { refused } from './refused.ts'
import { resume } from './resume.ts'
import { roots } from './roots.ts'
import { semanticMemory } from './semantic/memory.ts'
import { recall } from './semantic/recall.ts'
import { subagentRuns } from './subagents/book.ts'
import { SPAWN_WORDS, spawns } from './subagents/spawns.ts'

export const openclaw: Platform = {
  id: openclawIdentity.id,
  identity: openclawIdentity,
  files: {
    ...{ roots, discover, refused, given },
    open: (artifact) =>
      artifact.database === undefined ? undefined : openSession(artifact, artifact.database),
    close: closeConnections,
  },
  records: { normalize, knownFields },
  delivery,
  resume,
  cron,
  memory: {
    documents,
    documentName: ({ agent, sessionId }) =>
      `workspace${agent === openclawIdentity.defaultAgent ? '' : `-${agent}`}/${sessionId}`,
    semantic: { list: semanticMemory, recall },
  },
  subagents: { runs: subagentRuns, spawns, spawnWords: SPAWN_WORDS },
}
