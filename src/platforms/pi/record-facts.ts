import type { RecordFacts } from '../identity.ts'

/**
 * Programs that are pi under another name: they differ in folder, variables and the flag that resumes a
 * session, and share everything else.
 */
export const FAMILY = {
  pi: { name: 'pi', resumes: '--session' },
  omp: { name: 'omp', resumes: '--resume' },
  senpi: { name: 'Senpi', resumes: '--session' },
  omo: { name: 'OmO', resumes: '--session' },
  prime: { name: 'Prime Agent', resumes: '--session' },
} as const

export type Member = keyof typeof FAMILY

export const MEMBERS = Object.keys(FAMILY) as Member[]

export const piFacts = {
  id: 'pi',
  defaultAgent: 'pi',
  ownFolders: false,
  record: { id: 'id', parentId: 'parentId' },
  commands: MEMBERS,
} as const satisfies RecordFacts
