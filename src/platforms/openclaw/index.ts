import type { Platform } from '../platform.ts'
import { cron } from './cron/book.ts'
import { discover } from './discover.ts'
import { documents } from './documents.ts'
import { closeConnections } from './eras/connection.ts'
import { openSession } from './eras/open-session.ts'
import { glance, vocabulary } from './glance.ts'
import { knownFields } from './known-fields.ts'
import { normalize } from './normalize.ts'
import { refused } from './refused.ts'
import { roots } from './roots.ts'
import { semanticMemory } from './semantic-memory.ts'
import { recall } from './semantic-recall.ts'
import { subagentRuns } from './subagents/book.ts'
import { SPAWN_WORDS, spawns } from './subagents/spawns.ts'
import { table } from './table.ts'
import { tableRows } from './table-rows.ts'

export const openclaw: Platform = {
  id: 'openclaw',
  name: 'OpenClaw',
  roots,
  discover,
  documents,
  open: (artifact) =>
    artifact.database === undefined ? undefined : openSession(artifact, artifact.database),
  close: closeConnections,
  refused,
  normalize,
  cron,
  semanticMemory,
  recall,
  subagentRuns,
  table,
  tableRows,
  spawns,
  spawnWords: SPAWN_WORDS,
  knownFields,
  vocabulary,
  glance,
}
