import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

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

/** The variables with a program's folder, and with another one for its sessions. */
export const variablesOf = (member: Member) =>
  ({
    agent: `${member.toUpperCase()}_CODING_AGENT_DIR`,
    sessions: `${member.toUpperCase()}_CODING_AGENT_SESSION_DIR`,
  }) as const

export const piIdentity = {
  id: 'pi',
  name: 'pi',
  tried: '1.6.0',
  short: 'pi',
  prefix: 'pi',
  color: 'magenta',
  dirName: 'pi',
  folder: '.pi',
  variables: MEMBERS.flatMap((member) => Object.values(variablesOf(member))),
  defaultAgent: 'pi',
  manyAgents: false,
  programs: Object.fromEntries(Object.entries(FAMILY).map(([id, { name }]) => [id, name])),
  ownFolders: false,
  below: [/^(.*)\/(sessions\/.*)$/s, /^(.*)\/(\d{4}-\d\d-\d\dT[^/]*\.jsonl)$/s],
  sessionId: ID_FORMS.dottedWord,
  record: { id: 'id', parentId: 'parentId' },
  commands: MEMBERS,
  begins: ['pi'],
  skills: true,
} as const satisfies PlatformIdentity
