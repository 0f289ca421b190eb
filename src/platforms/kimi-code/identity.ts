import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const kimiCodeIdentity = {
  id: 'kimi-code',
  name: 'Kimi Code',
  tried: '2.1.0',
  short: 'kimi',
  prefix: 'km',
  color: 'yellowBright',
  dirName: 'kimi',
  folder: '.kimi-code',
  variables: ['KIMI_CODE_HOME'],
  defaultAgent: 'kimi',
  speaker: 'Kimi',
  manyAgents: false,
  ownFolders: false,
  below: [/^(.*)\/((?:sessions|user-history)\/.*)$/s, /^(.*)\/(session_index\.jsonl|workspaces\.json)$/s],
  record: {},
  sessionId: ID_FORMS.dottedWord,
  commands: ['kimi'],
  skills: true,
} as const satisfies PlatformIdentity
