import type { RecordFacts } from '../identity.ts'

export const claudeCodeFacts = {
  id: 'claude-code',
  defaultAgent: 'claude',
  ownFolders: false,
  record: { id: 'uuid', parentId: 'parentUuid' },
  commands: ['claude'],
} as const satisfies RecordFacts
