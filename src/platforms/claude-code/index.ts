import type { Platform } from '../platform.ts'
import { describe, discover } from './discover.ts'
import { documents } from './documents.ts'
import { glance } from './glance.ts'
import { knownFields } from './known-fields.ts'
import { normalize } from './normalize.ts'
import { openSessions } from './open-sessions.ts'
import { history, normalizeHistory } from './prompt-history.ts'
import { refused } from './refused.ts'
import { roots } from './roots.ts'
import { SPAWN_WORDS, spawns } from './spawns.ts'
import { table } from './table.ts'
import { vocabulary } from './words.ts'

export const claudeCode: Platform = {
  id: 'claude-code',
  name: 'Claude Code',
  roots,
  discover,
  documents,
  describe,
  normalize,
  refused,
  openSessions,
  history,
  normalizeHistory,
  table,
  spawns,
  spawnWords: SPAWN_WORDS,
  knownFields,
  vocabulary,
  glance,
}
