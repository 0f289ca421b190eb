import type { PlatformIdentity } from '../identity.ts'

export const opencodeIdentity = {
  id: 'opencode',
  name: 'OpenCode',
  short: 'opencode',
  prefix: 'oe',
  dirName: 'opencode',
  folder: '.local/share/opencode',
  variables: ['XDG_DATA_HOME', 'OPENCODE_DB'],
  defaultAgent: 'opencode',
  speaker: 'OpenCode',
  manyAgents: false,
  ownFolders: false,
  below: [/^(.*)\/(opencode[^/]*\.db.*)$/s],
  record: { id: 'id', parentId: 'parentId' },
  commands: ['opencode'],
} as const satisfies PlatformIdentity
