import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { BUILDS, buildsOf, SHARED_IDENTITY, variablesOf } from '../opencode-records/builds.ts'
import { opencodeFacts } from './record-facts.ts'

const builds = buildsOf('opencode')

export const opencodeIdentity = {
  ...opencodeFacts,
  ...SHARED_IDENTITY,
  name: 'OpenCode',
  tried: '1.18.33',
  short: 'opencode',
  prefix: 'oe',
  color: 'cyan',
  dirName: 'opencode',
  folder: '.local/share/opencode',
  variables: variablesOf('opencode'),
  programs: Object.fromEntries(builds.map((build) => [build, BUILDS[build].name])),
  sessionId: ID_FORMS.word,
  begins: ['opencode', '--prompt'],
  skills: '.config/opencode/skills',
} as const satisfies PlatformIdentity
