import type { Platform } from '../platform.ts'
import { discover } from './discover.ts'
import { glance, vocabulary } from './glance.ts'
import { normalize } from './normalize.ts'
import { refused } from './refused.ts'
import { roots } from './roots.ts'

export const openclaw: Platform = {
  id: 'openclaw',
  name: 'OpenClaw',
  roots,
  discover,
  refused,
  normalize,
  vocabulary,
  glance,
}
