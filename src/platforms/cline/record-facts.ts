import type { RecordFacts } from '../identity.ts'

export const clineFacts = {
  id: 'cline',
  defaultAgent: 'cline',
  ownFolders: false,
  record: { id: 'id' },
  commands: ['cline'],
} as const satisfies RecordFacts
