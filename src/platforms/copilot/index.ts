import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { delivery } from './delivery.ts'
import { describe, discover, given, refused, roots } from './files.ts'
import { copilotIdentity } from './identity.ts'
import { DIRECTORIES, mappedWorkspace, moving } from './moving.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { recordedChanges } from './records/tools.ts'
import { runs, SPAWN_WORDS, spawns } from './subagents.ts'

/** Copilot CLI resumes a session wherever it is started. */
const resume = ({ id, root, cwds }: Session, environment: Environment): Resumption => ({
  words: ['copilot', '--resume='],
  id,
  variables: variableFor('COPILOT_HOME', root, copilotIdentity.folder, environment),
  directories: cwds.map(([path]) => path),
})

export const copilot: Platform = {
  id: copilotIdentity.id,
  identity: copilotIdentity,
  files: { roots, discover, refused, describe, given },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  resume,
  subagents: { runs, spawns, spawnWords: SPAWN_WORDS },
  restoring: {
    folder: (below) => /^(session-state\/[^/]+)\/events\.jsonl$/.exec(below)?.[1],
    directories: DIRECTORIES,
    mappedText: (below, text, maps) =>
      below.endsWith('/workspace.yaml') ? mappedWorkspace(text, maps) : text,
  },
  moving,
}
