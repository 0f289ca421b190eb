import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { BUILDS, buildsOf, SHARED_IDENTITY, variablesOf } from '../opencode-records/builds.ts'

const builds = buildsOf('opencode')

export const opencodeIdentity = {
  ...SHARED_IDENTITY,
  id: 'opencode',
  name: 'OpenCode',
  tried: '1.18.33',
  short: 'opencode',
  prefix: 'oe',
  color: 'cyan',
  dirName: 'opencode',
  folder: '.local/share/opencode',
  variables: variablesOf('opencode'),
  defaultAgent: 'opencode',
  programs: Object.fromEntries(builds.map((build) => [build, BUILDS[build].name])),
  sessionId: ID_FORMS.word,
  commands: builds.map((build) => BUILDS[build].command),
  begins: ['opencode', '--prompt'],
  skills: '.config/opencode/skills',
} as const satisfies PlatformIdentity
