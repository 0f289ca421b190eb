import type { RecordFacts } from '../identity.ts'

export const qwenCodeFacts = {
  id: 'qwen-code',
  defaultAgent: 'qwen',
  ownFolders: false,
  record: { id: 'uuid', parentId: 'parentUuid' },
  commands: ['qwen'],
} as const satisfies RecordFacts
