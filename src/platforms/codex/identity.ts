import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { codexFacts } from './record-facts.ts'

export const codexIdentity = {
  ...codexFacts,
  name: 'Codex',
  tried: '0.171.0',
  short: 'codex',
  prefix: 'cx',
  color: 'green',
  dirName: 'codex',
  folder: '.codex',
  variables: ['CODEX_HOME'],
  speaker: 'Codex',
  manyAgents: false,
  provider: 'openai',
  below: [
    /^(.*)\/((?:sessions|archived_sessions|memories)\/.*)$/s,
    /^(.*)\/((?:history|session_index)\.jsonl|queue_\d+\.sqlite)$/s,
  ],
  sessionId: ID_FORMS.uuid,
  begins: ['codex'],
  client: {
    add: (server) => ['codex', 'mcp', 'add', 'scrollback', '--', ...server],
    remove: ['codex', 'mcp', 'remove', 'scrollback'],
    show: ['codex', 'mcp', 'get', 'scrollback'],
  },
} as const satisfies PlatformIdentity
