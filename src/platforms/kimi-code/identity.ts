import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { kimiCodeFacts } from './record-facts.ts'

export const kimiCodeIdentity = {
  ...kimiCodeFacts,
  name: 'Kimi Code',
  tried: '2.1.0',
  short: 'kimi',
  prefix: 'km',
  color: 'yellowBright',
  dirName: 'kimi',
  folder: '.kimi-code',
  variables: ['KIMI_CODE_HOME'],
  speaker: 'Kimi',
  manyAgents: false,
  below: [/^(.*)\/((?:sessions|user-history)\/.*)$/s, /^(.*)\/(session_index\.jsonl|workspaces\.json)$/s],
  sessionId: ID_FORMS.dottedWord,
  skills: true,
} as const satisfies PlatformIdentity
