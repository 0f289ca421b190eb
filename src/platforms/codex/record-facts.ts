import type { RecordFacts } from '../identity.ts'

export const codexFacts = {
  id: 'codex',
  defaultAgent: 'codex',
  ownFolders: false,
  record: {},
  commands: ['codex'],
} as const satisfies RecordFacts
