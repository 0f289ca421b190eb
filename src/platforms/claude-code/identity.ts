import { ID_FORMS, type PlatformIdentity } from '../identity.ts'

export const claudeCodeIdentity = {
  id: 'claude-code',
  name: 'Claude Code',
  short: 'claude',
  prefix: 'cc',
  dirName: 'claude',
  folder: '.claude',
  variables: ['CLAUDE_CONFIG_DIR', 'XDG_CONFIG_HOME'],
  defaultAgent: 'claude',
  speaker: 'Claude',
  manyAgents: false,
  runsInside: true,
  ownFolders: false,
  provider: 'anthropic',
  keeps: { days: 30, setting: 'cleanupPeriodDays', since: 'file' },
  below: [/^(.*)\/((?:projects|todos|plans)\/.*)$/s, /^(.*)\/(history\.jsonl)$/s],
  record: { id: 'uuid', parentId: 'parentUuid' },
  sessionId: ID_FORMS.word,
  commands: ['claude'],
  begins: ['claude'],
  client: {
    add: (server) => ['claude', 'mcp', 'add', 'scrollback', '--scope', 'user', '--', ...server],
    remove: ['claude', 'mcp', 'remove', '--scope', 'user', 'scrollback'],
    show: ['claude', 'mcp', 'get', 'scrollback'],
  },
  statusLine: 'settings.json',
} as const satisfies PlatformIdentity
