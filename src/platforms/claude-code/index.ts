import type { Platform } from '../platform.ts'
import { describe, discover } from './discover.ts'
import { documents } from './documents.ts'
import { given } from './given.ts'
import { glance } from './glance/glance.ts'
import { claudeCodeIdentity } from './identity.ts'
import { openSessions } from './open-sessions.ts'
import { history, normalizeHistory } from './prompt-history.ts'
import { RECORD_FIELDS, recordFacts } from './record-facts.ts'
import { knownFields } from './records/known-fields.ts'
import { normalize } from './records/normalize.ts'
import { originals } from './records/originals.ts'
import { refused } from './refused.ts'
import { resume } from './resume.ts'
import { roots } from './roots.ts'
import { SPAWN_WORDS, spawns } from './spawns.ts'
import { table } from './table.ts'
import { vocabulary } from './words/words.ts'

export const claudeCode: Platform = {
  id: claudeCodeIdentity.id,
  identity: claudeCodeIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields, vocabulary, originals, glance },
  delivery: { table, fields: RECORD_FIELDS, record: recordFacts },
  resume,
  openSessions,
  history: { file: history, normalize: normalizeHistory },
  memory: { documents },
  subagents: { spawns, spawnWords: SPAWN_WORDS },
}
