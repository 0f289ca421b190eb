import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { qwenCodeFacts } from './record-facts.ts'

export const qwenCodeIdentity = {
  ...qwenCodeFacts,
  name: 'Qwen Code',
  tried: '0.24.4',
  short: 'qwen',
  prefix: 'qw',
  color: 'blueBright',
  dirName: 'qwen',
  folder: '.qwen',
  variables: ['QWEN_HOME', 'QWEN_RUNTIME_DIR'],
  speaker: 'Qwen',
  manyAgents: false,
  below: [/^(.*)\/((?:projects|memories)\/.*)$/s],
  sessionId: ID_FORMS.word,
  begins: ['qwen', '--prompt-interactive'],
  skills: true,
} as const satisfies PlatformIdentity
