import type { RecordFacts } from '../identity.ts'
import { SHARED_FACTS } from '../opencode-records/builds.ts'

export const kiloCodeFacts = {
  ...SHARED_FACTS,
  id: 'kilo-code',
  defaultAgent: 'kilo',
  commands: ['kilo'],
} as const satisfies RecordFacts
