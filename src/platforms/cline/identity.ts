import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { clineFacts } from './record-facts.ts'

export const clineIdentity = {
  ...clineFacts,
  name: 'Cline',
  tried: '3.0.65',
  short: 'cline',
  prefix: 'cl',
  color: 'redBright',
  dirName: 'cline',
  folder: '.cline/data',
  variables: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_SESSION_DATA_DIR'],
  speaker: 'Cline',
  manyAgents: false,
  below: [/^(.*)\/(sessions\/.*)$/s, /^(.*)\/([^/]+\/[^/]+\.messages\.json)$/s],
  sessionId: ID_FORMS.word,
  skills: '.cline/skills',
} as const satisfies PlatformIdentity
