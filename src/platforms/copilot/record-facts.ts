import type { RecordFacts } from '../identity.ts'

export const copilotFacts = {
  id: 'copilot',
  defaultAgent: 'copilot',
  ownFolders: false,
  record: { id: 'id', parentId: 'parentId' },
  commands: ['copilot'],
} as const satisfies RecordFacts
