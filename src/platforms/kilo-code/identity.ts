import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { SHARED_IDENTITY, variablesOf } from '../opencode-records/builds.ts'

export const kiloCodeIdentity = {
  ...SHARED_IDENTITY,
  id: 'kilo-code',
  name: 'Kilo Code',
  tried: '7.7.9',
  short: 'kilo',
  prefix: 'ki',
  color: 'cyanBright',
  dirName: 'kilo',
  folder: '.local/share/kilo',
  variables: variablesOf('kilo-code'),
  defaultAgent: 'kilo',
  speaker: 'Kilo Code',
  sessionId: ID_FORMS.word,
  commands: ['kilo'],
  begins: ['kilo', '--prompt'],
  skills: '.config/kilo/skills',
} as const satisfies PlatformIdentity
