import { ID_FORMS, type PlatformIdentity } from '../identity.ts'
import { openclawFacts } from './record-facts.ts'

export const openclawIdentity = {
  ...openclawFacts,
  name: 'OpenClaw',
  tried: '2026.9.6',
  short: 'openclaw',
  prefix: 'oc',
  color: 'red',
  dirName: 'openclaw',
  folder: '.openclaw',
  variables: ['OPENCLAW_HOME', 'OPENCLAW_STATE_DIR', 'CLAWDBOT_STATE_DIR', 'OPENCLAW_WORKSPACE_DIR'],
  manyAgents: true,
  agentHome: /[/\\]\.(?:openclaw|clawdbot|moltbot|moldbot)(?:-[^/\\]+)?(?:[/\\]|$)/,
  workspace: /[/\\]\.(?:openclaw|clawdbot|moltbot|moldbot)(?:-[^/\\]+)?[/\\]workspace(?:-[^/\\]+)?$/,
  agentFolder: (agent: string) => `agents/${agent}`,
  below: [
    /^(.*)\/(agents\/.*)$/s,
    /^(.*)\/((?:cron|subagents|state|workspace|workspace-[^/]+)\/.*)$/s,
    /^(.*)\/(sessions\/.*)$/s,
  ],
  sessionId: ID_FORMS.dottedWord,
  // With the name of a person or group in any language, or the id that a channel gave it.
  sessionKey: /^[\p{L}\p{N}][^\s\p{C}]*$/u,
  begins: ['openclaw', 'tui', '--message'],
  sessionFlag: '--session',
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
