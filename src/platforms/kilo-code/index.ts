import { platformOf } from '../opencode-records/platform.ts'
import { kiloCodeIdentity } from './identity.ts'

export const kiloCode = platformOf(kiloCodeIdentity)
