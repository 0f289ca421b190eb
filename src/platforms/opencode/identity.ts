import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const opencodeIdentity = {
  id: 'opencode',
  name: 'OpenCode',
  short: 'opencode',
  prefix: 'oe',
  color: 'cyan',
  dirName: 'opencode',
  folder: '.local/share/opencode',
  variables: ['XDG_DATA_HOME', 'XDG_STATE_HOME', 'OPENCODE_DB'],
  defaultAgent: 'opencode',
  speaker: 'OpenCode',
  manyAgents: false,
  ownFolders: false,
  below: [
    /^(.*)\/(storage\/session\/[^/]+\/[^/]+\.json)$/s,
    /^(.*)\/((?:sessions|plans)\/[^/]+\.(?:jsonl|md))$/s,
    /^(.*)\/(prompt-history\.jsonl|[^/#]+\.db|[^/]*#.*)$/s,
  ],
  record: { id: 'id', parentId: 'parentId' },
  sessionId: ID_FORMS.word,
  commands: ['opencode'],
  begins: ['opencode', '--prompt'],
  skills: '.config/opencode/skills',
} as const satisfies PlatformIdentity
