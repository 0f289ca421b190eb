import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const copilotIdentity = {
  id: 'copilot',
  name: 'Copilot CLI',
  tried: '1.0.102',
  short: 'copilot',
  prefix: 'gh',
  color: 'magentaBright',
  dirName: 'copilot',
  folder: '.copilot',
  variables: ['COPILOT_HOME'],
  defaultAgent: 'copilot',
  speaker: 'Copilot',
  manyAgents: false,
  ownFolders: false,
  below: [/^(.*)\/(session-state\/.*)$/s, /^(.*)\/(command-history-state\.json)$/s],
  record: { id: 'id', parentId: 'parentId' },
  sessionId: ID_FORMS.word,
  commands: ['copilot'],
  begins: ['copilot', '--interactive'],
  client: {
    add: (server) => ['copilot', 'mcp', 'add', 'scrollback', '--', ...server],
    remove: ['copilot', 'mcp', 'remove', 'scrollback'],
    show: ['copilot', 'mcp', 'get', 'scrollback'],
  },
} as const satisfies PlatformIdentity
