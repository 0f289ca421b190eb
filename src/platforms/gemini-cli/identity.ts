import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { geminiCliFacts } from './record-facts.ts'

export const geminiCliIdentity = {
  ...geminiCliFacts,
  name: 'Gemini CLI',
  tried: '0.61.0',
  short: 'gemini',
  prefix: 'gm',
  color: 'blue',
  dirName: 'gemini',
  folder: '.gemini',
  variables: ['GEMINI_CLI_HOME'],
  speaker: 'Gemini',
  manyAgents: false,
  provider: 'google',
  keeps: { days: 30, setting: 'general.sessionRetention.maxAge', since: 'record' },
  below: [/^(.*)\/(tmp\/.*)$/s, /^(.*)\/(projects\.json)$/s],
  sessionId: ID_FORMS.word,
  begins: ['gemini', '--prompt-interactive'],
  skills: true,
} as const satisfies PlatformIdentity
