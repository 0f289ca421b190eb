import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const clineIdentity = {
  id: 'cline',
  name: 'Cline',
  tried: '3.0.65',
  short: 'cline',
  prefix: 'cl',
  color: 'redBright',
  dirName: 'cline',
  folder: '.cline/data',
  variables: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_SESSION_DATA_DIR'],
  defaultAgent: 'cline',
  speaker: 'Cline',
  manyAgents: false,
  ownFolders: false,
  below: [/^(.*)\/(sessions\/.*)$/s, /^(.*)\/([^/]+\/[^/]+\.messages\.json)$/s],
  record: { id: 'id' },
  sessionId: ID_FORMS.word,
  commands: ['cline'],
  skills: '.cline/skills',
} as const satisfies PlatformIdentity
