import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../folders.ts'
import type { Platform, Resumption } from '../platform.ts'
import { delivery } from './delivery.ts'
import { discover, open, refused, roots } from './files.ts'
import { continueIdentity } from './identity.ts'
import { longValues } from './records/long-values.ts'
import { knownFields, normalize } from './records/normalize.ts'
import { recordedChanges } from './records/tools.ts'

/** The command line of Continue. Its extensions for editors write the same documents. */
export const continueCli: Platform = {
  id: continueIdentity.id,
  identity: continueIdentity,
  files: { roots, discover, refused, open },
  records: { normalize, knownFields, long: longValues, recordedChanges },
  delivery,
  resume,
  restoring: {
    impossible: 'Continue keeps a session in one document, of which an archive has the lines',
  },
}

/** The client resumes its last session alone. Any other goes on in a copy. */
function resume({ id, root, cwds }: Session, environment: Environment): Resumption {
  return {
    words: ['cn', '--fork='],
    id,
    variables: variableFor('CONTINUE_GLOBAL_DIR', root, continueIdentity.folder, environment),
    directories: cwds.map(([path]) => path),
  }
}
