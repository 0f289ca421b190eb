import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const qwenCodeIdentity = {
  id: 'qwen-code',
  name: 'Qwen Code',
  tried: '0.24.4',
  short: 'qwen',
  prefix: 'qw',
  color: 'blueBright',
  dirName: 'qwen',
  folder: '.qwen',
  variables: ['QWEN_HOME', 'QWEN_RUNTIME_DIR'],
  defaultAgent: 'qwen',
  speaker: 'Qwen',
  manyAgents: false,
  ownFolders: false,
  below: [/^(.*)\/((?:projects|memories)\/.*)$/s],
  record: { id: 'uuid', parentId: 'parentUuid' },
  sessionId: ID_FORMS.word,
  commands: ['qwen'],
  begins: ['qwen', '--prompt-interactive'],
  skills: true,
} as const satisfies PlatformIdentity
