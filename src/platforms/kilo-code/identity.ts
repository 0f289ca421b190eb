import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { SHARED_IDENTITY, variablesOf } from '../opencode-records/builds.ts'
import { kiloCodeFacts } from './record-facts.ts'

export const kiloCodeIdentity = {
  ...kiloCodeFacts,
  ...SHARED_IDENTITY,
  name: 'Kilo Code',
  tried: '7.7.9',
  short: 'kilo',
  prefix: 'ki',
  color: 'cyanBright',
  dirName: 'kilo',
  folder: '.local/share/kilo',
  variables: variablesOf('kilo-code'),
  speaker: 'Kilo Code',
  sessionId: ID_FORMS.word,
  begins: ['kilo', '--prompt'],
  skills: '.config/kilo/skills',
} as const satisfies PlatformIdentity
