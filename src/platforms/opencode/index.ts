import { platformOf } from '../opencode-records/platform.ts'
import { opencodeIdentity } from './identity.ts'

export const opencode = platformOf(opencodeIdentity)
