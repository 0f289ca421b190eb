import type { Environment } from '../../model/artifact.ts'
import type { Session } from '../../model/session.ts'
import { variableFor } from '../environment-variable.ts'
import type { Resumption } from '../platform.ts'
import { openclawIdentity } from './identity.ts'

/** OpenClaw opens the conversation of a session key. */
export function resume({ state, sessionKey, root }: Session, environment: Environment): Resumption {
  if (state !== 'live') return { impossible: `it was ${state}: its key now belongs to another session` }
  if (sessionKey === undefined)
    return { impossible: 'no index of OpenClaw names its key, and a session is opened by that' }
  return {
    words: ['openclaw', 'tui', '--session', sessionKey],
    variables: variableFor('OPENCLAW_STATE_DIR', root, openclawIdentity.folder, environment),
    directories: [],
  }
}
