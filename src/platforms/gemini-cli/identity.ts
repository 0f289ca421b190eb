import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const geminiCliIdentity = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  short: 'gemini',
  prefix: 'gm',
  color: 'blue',
  dirName: 'gemini',
  folder: '.gemini',
  variables: ['GEMINI_CLI_HOME'],
  defaultAgent: 'gemini',
  speaker: 'Gemini',
  manyAgents: false,
  ownFolders: false,
  provider: 'google',
  keeps: { days: 30, setting: 'general.sessionRetention.maxAge', since: 'record' },
  below: [/^(.*)\/(tmp\/.*)$/s, /^(.*)\/(projects\.json)$/s],
  record: { id: 'id' },
  sessionId: ID_FORMS.word,
  commands: ['gemini'],
  begins: ['gemini', '--prompt-interactive'],
  skills: true,
} as const satisfies PlatformIdentity
