import type { RecordFacts } from '../identity.ts'
import { BUILDS, buildsOf, SHARED_FACTS } from '../opencode-records/builds.ts'

export const opencodeFacts = {
  ...SHARED_FACTS,
  id: 'opencode',
  defaultAgent: 'opencode',
  commands: buildsOf('opencode').map((build) => BUILDS[build].command),
} as const satisfies RecordFacts
