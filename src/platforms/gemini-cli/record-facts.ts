import type { RecordFacts } from '../identity.ts'

export const geminiCliFacts = {
  id: 'gemini-cli',
  defaultAgent: 'gemini',
  ownFolders: false,
  record: { id: 'id' },
  commands: ['gemini'],
} as const satisfies RecordFacts
