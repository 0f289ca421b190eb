/** Loaded before the program. Adds the invented platform, as a folder in `src/platforms` would. */
import { identities } from '../../src/platforms/identities.ts'
import type { PlatformIdentity } from '../../src/platforms/identity.ts'
import { platforms } from '../../src/platforms/index.ts'
import { readers } from '../../src/platforms/normalizers.ts'
import type { Platform } from '../../src/platforms/platform.ts'
import { fernwoodIdentity } from './identity.ts'
import { normalize } from './normalize.ts'
import { fernwood } from './platform.ts'

const names = identities as PlatformIdentity[]
names.push(fernwoodIdentity)
const all = platforms as Platform[]
all.push(fernwood)
const parsers = readers as Map<string, { normalize: typeof normalize; facts: PlatformIdentity }>
parsers.set(fernwoodIdentity.id, { normalize, facts: fernwoodIdentity })
