import type { PlatformIdentity } from '../identity.ts'

export const openclawIdentity = {
  id: 'openclaw',
  name: 'OpenClaw',
  short: 'openclaw',
  prefix: 'oc',
  dirName: 'openclaw',
  folder: '.openclaw',
  variables: ['OPENCLAW_HOME', 'OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR', 'OPENCLAW_WORKSPACE_DIR'],
  defaultAgent: 'main',
  manyAgents: true,
  mirrorsReplies: true,
  ownFolders: true,
  agentHome: /[/\\]\.(?:openclaw|clawdbot|moltbot|moldbot)(?:-[^/\\]+)?(?:[/\\]|$)/,
  workspace: /[/\\]\.(?:openclaw|clawdbot|moltbot|moldbot)(?:-[^/\\]+)?[/\\]workspace(?:-[^/\\]+)?$/,
  agentFolder: (agent: string) => `agents/${agent}`,
  below: [
    /^(.*)\/(agents\/.*)$/s,
    /^(.*)\/((?:cron|subagents|state|workspace|workspace-[^/]+)\/.*)$/s,
    /^(.*)\/(sessions\/.*)$/s,
  ],
  record: { id: 'id', parentId: 'parentId' },
  commands: ['openclaw', 'clawdbot', 'moltbot', 'moldbot'],
  begins: ['openclaw', 'tui', '--message'],
  client: {
    add: ([program, ...args]) => [
      'openclaw',
      'mcp',
      'add',
      'scrollback',
      '--command',
      program,
      ...args.flatMap((word) => ['--arg', word]),
    ],
    remove: ['openclaw', 'mcp', 'unset', 'scrollback'],
    show: ['openclaw', 'mcp', 'show', 'scrollback'],
  },
} as const satisfies PlatformIdentity
