import type { Platform } from '../platform.ts'
import { describe, discover } from './discover.ts'
import { documents } from './documents.ts'
import { given } from './given.ts'
import { claudeCodeIdentity } from './identity.ts'
import { openSessions } from './open-sessions.ts'
import { history, normalizeHistory } from './prompt-history.ts'
import { recordFacts } from './record-facts.ts'
import { knownFields } from './records/known-fields.ts'
import { normalize, skip } from './records/normalize.ts'
import { originals } from './records/originals.ts'
import { refused } from './refused.ts'
import { resume } from './resume.ts'
import { roots } from './roots.ts'
import { SPAWN_WORDS, spawns } from './spawns.ts'
import { table } from './table.ts'

export const claudeCode: Platform = {
  id: claudeCodeIdentity.id,
  identity: claudeCodeIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields, originals, skip },
  delivery: { table, record: recordFacts },
  resume,
  openSessions,
  history: { file: history, normalize: normalizeHistory },
  memory: { documents },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}
