import type { RecordFacts } from '../identity.ts'

export const continueFacts = {
  id: 'continue',
  defaultAgent: 'continue',
  ownFolders: false,
  record: {},
  commands: ['cn'],
} as const satisfies RecordFacts
