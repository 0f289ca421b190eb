import { basename, dirname } from 'node:path'
import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { PlatformIdentity } from '../identity.ts'
import type { Platform, Resumption } from '../platform.ts'
import { BUILDS, buildAt, buildsOf } from './builds.ts'
import { closeConnections } from './database/sessions.ts'
import { delivery } from './delivery.ts'
import { filesOf } from './files.ts'
import { longValues } from './long-values.ts'
import { moving } from './moving.ts'
import { knownFields, normalize } from './normalize.ts'
import { recordedChanges, SPAWN_WORDS, spawns } from './tools.ts'

/** OpenCode or a platform whose clients are builds of it: sessions in a database, or in files before 1.2. */
export const platformOf = (identity: PlatformIdentity): Platform => ({
  id: identity.id,
  identity,
  files: { ...filesOf(identity), close: closeConnections },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  resume,
  restoring: {
    impossible: `${identity.name} keeps sessions in a database, in which Scrollback does not write: other tables in it contain keys, and its form changes with each version`,
  },
  moving,
  subagents: { spawns, spawnWords: SPAWN_WORDS },
})

/** A session is resumed by its id where it ran. */
function resume(
  { kind, id, state, agent, platform, parentSessionId, root, cwds }: Session,
  environment: Environment,
): Resumption {
  if (state === 'purged') return { impossible: 'only prompts are left, of several sessions' }
  if (kind === 'subagent')
    return {
      impossible: `a subagent can only be resumed in its parent${parentSessionId ? `: ${parentSessionId}` : ''}`,
    }
  // The variable names the folder above.
  const isUsual = buildAt(platform, basename(root)) !== undefined
  return {
    words: [BUILDS[buildAt(platform, agent) ?? buildsOf(platform)[0]!].command, '--session='],
    id,
    variables: isUsual ? variableFor('XDG_DATA_HOME', dirname(root), '.local/share', environment) : {},
    directories: cwds.map(([path]) => path),
  }
}
