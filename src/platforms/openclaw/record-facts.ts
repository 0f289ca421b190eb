import type { RecordFacts } from '../identity.ts'

export const openclawFacts = {
  id: 'openclaw',
  defaultAgent: 'main',
  mirrorsReplies: true,
  ownFolders: true,
  record: { id: 'id', parentId: 'parentId' },
  commands: ['openclaw', 'clawdbot', 'moltbot', 'moldbot'],
} as const satisfies RecordFacts
