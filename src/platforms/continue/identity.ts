import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { continueFacts } from './record-facts.ts'

export const continueIdentity = {
  ...continueFacts,
  name: 'Continue CLI',
  tried: '1.5.47',
  short: 'continue',
  prefix: 'cn',
  color: 'gray',
  dirName: 'continue',
  folder: '.continue',
  variables: ['CONTINUE_GLOBAL_DIR'],
  speaker: 'Continue',
  manyAgents: false,
  below: [/^(.*)\/(sessions\/.*)$/s],
  sessionId: ID_FORMS.word,
  begins: ['cn'],
} as const satisfies PlatformIdentity
