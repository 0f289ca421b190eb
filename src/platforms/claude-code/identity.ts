import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { claudeCodeFacts } from './record-facts.ts'

export const claudeCodeIdentity = {
  ...claudeCodeFacts,
  name: 'Claude Code',
  tried: '2.1.332',
  short: 'claude',
  prefix: 'cc',
  color: 'yellow',
  dirName: 'claude',
  folder: '.claude',
  variables: ['CLAUDE_CONFIG_DIR', 'XDG_CONFIG_HOME'],
  speaker: 'Claude',
  manyAgents: false,
  runsInside: true,
  provider: 'anthropic',
  keeps: { days: 30, setting: 'cleanupPeriodDays', since: 'file' },
  below: [/^(.*)\/((?:projects|todos|plans)\/.*)$/s, /^(.*)\/(history\.jsonl)$/s],
  sessionId: ID_FORMS.word,
  begins: ['claude'],
  client: {
    add: (server) => ['claude', 'mcp', 'add', 'scrollback', '--scope', 'user', '--', ...server],
    remove: ['claude', 'mcp', 'remove', '--scope', 'user', 'scrollback'],
    show: ['claude', 'mcp', 'get', 'scrollback'],
  },
  statusLine: 'settings.json',
  recallHook: 'UserPromptSubmit',
} as const satisfies PlatformIdentity
