import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { copilotFacts } from './record-facts.ts'

export const copilotIdentity = {
  ...copilotFacts,
  name: 'Copilot CLI',
  tried: '1.0.102',
  short: 'copilot',
  prefix: 'gh',
  color: 'magentaBright',
  dirName: 'copilot',
  folder: '.copilot',
  variables: ['COPILOT_HOME'],
  speaker: 'Copilot',
  manyAgents: false,
  below: [/^(.*)\/(session-state\/.*)$/s, /^(.*)\/(command-history-state\.json)$/s],
  sessionId: ID_FORMS.word,
  begins: ['copilot', '--interactive'],
  client: {
    add: (server) => ['copilot', 'mcp', 'add', 'scrollback', '--', ...server],
    remove: ['copilot', 'mcp', 'remove', 'scrollback'],
    show: ['copilot', 'mcp', 'get', 'scrollback'],
  },
} as const satisfies PlatformIdentity
