import type { RecordFacts } from '../identity.ts'

export const kimiCodeFacts = {
  id: 'kimi-code',
  defaultAgent: 'kimi',
  ownFolders: false,
  record: {},
  commands: ['kimi'],
} as const satisfies RecordFacts
