import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const continueIdentity = {
  id: 'continue',
  name: 'Continue CLI',
  tried: '1.5.47',
  short: 'continue',
  prefix: 'cn',
  color: 'gray',
  dirName: 'continue',
  folder: '.continue',
  variables: ['CONTINUE_GLOBAL_DIR'],
  defaultAgent: 'continue',
  speaker: 'Continue',
  manyAgents: false,
  ownFolders: false,
  below: [/^(.*)\/(sessions\/.*)$/s],
  record: {},
  sessionId: ID_FORMS.word,
  commands: ['cn'],
  begins: ['cn'],
} as const satisfies PlatformIdentity
