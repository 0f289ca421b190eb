import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agentDatabase, TABLE_CANARIES } from '../agent-databases.ts'
import { OPENCODE_TABLE_CANARY, opencodeDatabase, text } from '../opencode-databases.ts'
import { NEAR_CRON, plantCron } from './cron-tree.ts'
import { FURTHER_LINKS, kimiLines, NEAR_FURTHER, plantFurther, qwenLines } from './further-clients.ts'
import { NEAR_SEMANTIC, plantSemantic } from './semantic-tree.ts'

/** A home with all platforms, real transcripts and every file that must never be opened. */
export interface Tree {
  home: string
  /** Maps a path to the word that only this file contains. */
  canaries: Map<string, string>
  /** The transcripts that are to be read, including deleted ones. */
  transcripts: string[]
}

const SLUG = '.claude/projects/-home-ann-garden'
const SESSION = '0a1b2c3d-1111-4222-8333-444455556666'
const SESSIONS = '.openclaw/agents/main/sessions'
const AGENT = '.openclaw/agents/main/agent'

// biome-ignore format: a list
const CLAUDE_CODE = [
  '.claude/.credentials.json', '.claude.json', '.claude.json.backup', '.claude.json.backup.1769844370957',
  '.claude/.claude.json', '.claude.jsonl', '.claude/backups/.claude.json.backup.1', '.claude/backups/x.jsonl',
  '.claude/settings.json', '.claude/settings.local.json', '.claude/managed-settings.json', '.claude/hfi-auth.json',
  '.claude/shell-snapshots/snapshot-bash-1.sh', '.claude/shell-snapshots/x.jsonl',
  '.claude/session-env/1/env.json', '.claude/session-env/x.jsonl',
  '.claude/plugins/config.json', '.claude/plugins/repos/x.jsonl', '.claude/ide/5123.lock', '.claude/ide/x.jsonl',
  `.claude/debug/${SESSION}.txt`, '.claude/debug/x.jsonl', '.claude/telemetry/1p_failed_events.json',
  '.claude/telemetry/x.jsonl', '.claude/statsig/statsig.session_id', '.claude/statsig/x.jsonl',
  '.claude/paste-cache/0011.txt', '.claude/paste-cache/x.jsonl', '.claude/image-cache/x.jsonl',
  `.claude/file-history/${SESSION}/00ff@v1`, `.claude/file-history/${SESSION}/x.jsonl`,
  '.claude/sessions/x.jsonl', '.claude/jobs/x.jsonl', '.claude/teams/x.jsonl', '.claude/tasks/1/1.json',
  '.claude/daemon/control.key', '.claude/daemon/pipe.key', '.claude/daemon/x.jsonl', '.claude/sessions/4711.0a1b.key',
  '.claude/x.jsonl',
  `${SLUG}/${SESSION}/tool-results/b1.txt`, `${SLUG}/${SESSION}/tool-results/b2.jsonl`,
  `${SLUG}/${SESSION}/remote-agents/x.jsonl`, `${SLUG}/${SESSION}/subagents/journal.jsonl`,
  `${SLUG}/memory/x.jsonl`, `${SLUG}/memory/.hidden.md`, `${SLUG}/memory/key.pem`, `${SLUG}/.session-aliases`,
  `${SLUG}/${SESSION}.precompact.json`, `${SLUG}/${SESSION}.jsonl.compact.tmp.1`,
  '.config/Claude/local-agent-mode-sessions/o/a/local_1/.audit-key',
  '.config/Claude/local-agent-mode-sessions/o/a/local_1/audit.jsonl',
]

// biome-ignore format: a list
const OPENCLAW = [
  'openclaw.json', 'openclaw.json.bak', 'openclaw.json.bak.1', 'clawdbot.json', 'moltbot.json', 'moldbot.json', '.env',
  'secrets.json', 'secrets.jsonl', 'credentials/oauth.json', 'credentials/x.jsonl', 'credentials/whatsapp/default/creds.json',
  'credentials/sessions/x.jsonl', 'identity/device.json', 'identity/x.jsonl', 'devices/paired.json', 'devices/x.jsonl',
  'nodes/nodes.json', 'nodes/x.jsonl', 'exec-approvals.json', 'mcp-oauth/server.json', 'mcp-oauth/x.jsonl',
  'telegram/update-offset.json', 'telegram/x.jsonl', 'whatsapp/creds.json', 'whatsapp/sessions/x.jsonl', 'signal/account.json',
  'signal/x.jsonl', 'browser/profile/Cookies', 'browser/x.jsonl', 'sandboxes/a.json', 'sandboxes/agents/main/sessions/x.jsonl',
  'hooks/hooks.json', 'hooks/x.jsonl', 'logs/gateway.log', 'logs/x.jsonl', ...NEAR_SEMANTIC,
  'workspace/.env', 'workspace/keys.md', 'workspace/notes/targets.md', 'workspace/memory/.key.md', 'workspace-ops/secrets.json',
  ...NEAR_CRON,
  'extensions/x.jsonl', 'media/inbound/x.jsonl', 'x.jsonl',
  'subagents/runs.json.bak', 'subagents/secrets.json', 'subagents/x.jsonl', 'subagents/deep/runs.json',
].map((name) => `.openclaw/${name}`)

// biome-ignore format: a list
const OPENCLAW_AGENT = [
  'auth-profiles.json', 'auth-profiles.json.bak', 'auth-profiles.json.migrated', 'auth.json', 'auth.json.bak', 'models.json',
  'models.json.migrated', 'x.jsonl', 'sessions/x.jsonl', 'codex-home/auth.json', 'codex-home/config.toml', 'codex-home/x.jsonl',
].map((name) => `${AGENT}/${name}`)

const OPENCLAW_SESSIONS = [
  `${SESSIONS}/secrets.json`,
  `${SESSIONS}/auth-profiles.json`,
  `${SESSIONS}/credentials/x.jsonl`,
  '.openclaw/agents/x.jsonl',
  '.openclaw/agents/main/x.jsonl',
]

const THREAD = '01a1968d-3900-7000-8000-000000000001'
const ROLLOUT = `rollout-2026-11-01T10-00-00-${THREAD}.jsonl`

// biome-ignore format: a list
const CODEX = [
  'auth.json', '.credentials.json', 'mcp-auth.json', 'installation_id', 'config.toml', 'config.toml.bak', 'logs_2.sqlite',
  'logs_2.sqlite-wal', 'log/codex-tui.log', 'log/x.jsonl', `log/${ROLLOUT}`, `shell_snapshots/${THREAD}.sh`,
  'shell_snapshots/x.jsonl', 'state_5.sqlite', 'thread_history_1.sqlite', 'goals_1.sqlite', 'x.jsonl',
  'sessions/x.jsonl', 'sessions/2026/x.jsonl', 'sessions/2026/11/01/x.jsonl', `sessions/${ROLLOUT}`,
  `sessions/2026/11/01/${ROLLOUT}.bak`, `sessions/2026/11/01/deep/${ROLLOUT}`, 'memories/x.jsonl', 'skills/x/SKILL.md',
].map((name) => `.codex/${name}`)

const PI_NAME = '2026-11-01T10-00-00-000Z_01a1968d-3900-7000-8000-000000000002.jsonl'
const PI_SESSIONS = 'sessions/--home-ann-garden--'

// biome-ignore format: a list
const PI = [
  'auth.json', 'auth.json.bak', 'models.json', 'models-store.json', 'settings.json', 'mcp.json', 'pi-debug.log', 'crashes.json',
  'keybindings.json', 'trust.json', 'x.jsonl', 'bin/x.jsonl', 'extensions/x.jsonl', `npm/${PI_NAME}`, `git/x/${PI_NAME}`,
  'prompts/x.md', 'skills/x/SKILL.md', `${PI_SESSIONS}/${PI_NAME}.bak`, `${PI_SESSIONS}/.${PI_NAME}`,
  `${PI_SESSIONS}/deep/${PI_NAME}`, `${PI_SESSIONS}/settings.json`, `${PI_SESSIONS}/${PI_NAME}.lock`,
].map((name) => `.pi/agent/${name}`)

const OPENCODE_DATA = '.local/share/opencode'
const OPENCODE_STATE = '.local/state/opencode'

// biome-ignore format: a list
const OPENCODE = [
  ...[
    'auth.json', 'auth.json.bak', 'mcp-auth.json', 'opencode.json', 'opencode.jsonc', 'log/dev.log', 'log/opencode.db', 'x.jsonl',
    'snapshot/global/x.json', 'bin/x.jsonl', 'repos/opencode.db', 'worktree/x.jsonl', 'tool-output/x', 'opencode.db.bak',
    'sessions/x.jsonl', 'sessions/deep/ses_x.jsonl', 'storage/project/global.json', 'storage/session_diff/ses_x.json',
    'storage/session_share/ses_x.json', 'storage/todo/ses_file.json', 'storage/session/ses_x.json', 'storage/migration',
    'storage/session/global/ses_x.json.bak', 'storage/session/global/deep/ses_x.json', 'storage/message/ses_other/msg_1.json',
    'storage/message/ses_file/auth.txt', 'storage/part/msg_other/prt_1.json',
  ].map((name) => `${OPENCODE_DATA}/${name}`),
  ...['kv.json', 'model.json', 'x.jsonl', 'prompt-history.jsonl.bak', 'deep/prompt-history.jsonl'].map(
    (name) => `${OPENCODE_STATE}/${name}`),
  '.config/opencode/opencode.json', '.config/opencode/opencode.jsonc',
]
// biome-ignore format: a list
const COPILOT = [
  'config.json', 'config.json.bak', 'settings.json', 'mcp-config.json', 'mcp-oauth-config/x.json', 'mcp-oauth-config/x.jsonl',
  'logs/process.log', 'logs/events.jsonl', 'ide/x.lock', 'command-history-state.json', 'session-store.db', 'x.jsonl',
  'session-state/x.jsonl', `session-state/${THREAD}/x.jsonl`, `session-state/${THREAD}/session.db`,
  `session-state/${THREAD}/events.jsonl.bak`, `session-state/${THREAD}/.events.jsonl`, `session-state/${THREAD}/files/events.jsonl`,
  `session-state/${THREAD}/checkpoints/index.md`, `session-state/${THREAD}/rewind-file-snapshots/backups/x`,
  'history-session-state/session_x_1.json', 'skills/x/SKILL.md',
].map((name) => `.copilot/${name}`)

// biome-ignore format: a list
const GEMINI = [
  'oauth_creds.json', 'google_accounts.json', 'mcp-oauth-tokens-v2.json', 'installation_id', '.env', 'settings.json',
  'settings.json.orig', 'history/garden/x.jsonl', 'tmp/garden/shell_history', 'tmp/garden/checkpoint-x.json', 'x.jsonl',
  'tmp/garden/tool-outputs/x.txt', 'tmp/garden/x.jsonl', 'tmp/garden/chats/x.jsonl', 'tmp/x.jsonl',
  'tmp/garden/chats/.session-2026-11-01T10-00-0a000000.jsonl', 'tmp/garden/chats/0a000000/deep/x.jsonl', 'skills/x/SKILL.md',
].map((name) => `.gemini/${name}`)
const GEMINI_SESSION = '.gemini/tmp/garden/chats/session-2026-11-01T10-00-0a000000.jsonl'

const record = (value: unknown): string => `${JSON.stringify(value)}\n`

/** A message of a human to Claude Code. */
const claudeLine = (text: string, cwd = '/home/ann/garden'): string =>
  record({
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: SESSION,
    version: '2.1.112',
    type: 'user',
    message: { role: 'user', content: text },
    uuid: `${SESSION.slice(0, -4)}${String(text.length).padStart(4, '0')}`,
    timestamp: '2026-11-01T10:00:00.000Z',
  })

const openclawLines = (id: string, text: string): string =>
  record({ type: 'session', version: 3, id, timestamp: '2026-11-02T10:00:00.000Z', cwd: '/home/ann' }) +
  record({
    type: 'message',
    id: '0000aaaa',
    parentId: null,
    timestamp: '2026-11-02T10:00:01.000Z',
    message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1793613601000 },
  })

const codexLines = (text: string): string =>
  record({
    timestamp: '2026-11-01T10:00:00.000Z',
    type: 'session_meta',
    payload: { id: THREAD, cwd: '/home/ann/garden', cli_version: '0.121.0', source: 'cli' },
  }) +
  record({
    timestamp: '2026-11-01T10:00:01.000Z',
    type: 'event_msg',
    payload: { type: 'user_message', message: text, images: [] },
  })

const copilotLines = (text: string): string =>
  record({
    type: 'session.start',
    data: { sessionId: THREAD, copilotVersion: '1.0.102', context: { cwd: '/home/ann/garden' } },
    id: 'e1',
    timestamp: '2026-11-01T10:00:00.000Z',
    parentId: null,
  }) +
  record({
    type: 'user.message',
    data: { content: text },
    id: 'e2',
    timestamp: '2026-11-01T10:00:01.000Z',
    parentId: 'e1',
  })

const geminiLines = (text: string): string =>
  record({
    sessionId: '0a000000-0000-4000-8000-000000000001',
    projectHash: 'x',
    startTime: '2026-11-01T10:00:00.000Z',
  }) + record({ id: 'g1', timestamp: '2026-11-01T10:00:01.000Z', type: 'user', content: [{ text }] })

export function plantTree(home: string): Tree {
  const canaries = new Map<string, string>()
  const transcripts: string[] = []
  const put = (path: string, content: string): string => {
    const full = join(home, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, content)
    return full
  }
  const all = [
    ...CLAUDE_CODE,
    ...OPENCLAW,
    ...OPENCLAW_AGENT,
    ...OPENCLAW_SESSIONS,
    ...CODEX,
    ...PI,
    ...OPENCODE,
    ...GEMINI,
    ...COPILOT,
    ...NEAR_FURTHER,
  ]
  for (const [index, path] of all.entries()) {
    const canary = `canary${String(index).padStart(3, '0')}tweet`
    canaries.set(put(path, contentFor(path, canary)), canary)
  }

  /** The path in a spilled tool result, inside the session's folder and outside the tree. */
  const spilled = (path: string): string =>
    `<persisted-output>\nOutput too large. Full output saved to: ${path}\n</persisted-output>`
  const claude = claudeLine('How many ferns are there?') + claudeLine(spilled(join(home, '.claude.json')))
  transcripts.push(
    put(`${SLUG}/${SESSION}.jsonl`, claude),
    put(
      `${SLUG}/${SESSION}/subagents/agent-a0011223344556677.jsonl`,
      claudeLine('Count the ferns, all of them.'),
    ),
    put(`.codex/sessions/2026/11/01/${ROLLOUT}`, codexLines('Which fern is dry?')),
    put(`.pi/agent/${PI_SESSIONS}/${PI_NAME}`, openclawLines('pi', 'Which moss is dry?')),
    put(GEMINI_SESSION, geminiLines('Which algae are dry?')),
    put(`.copilot/session-state/${THREAD}/events.jsonl`, copilotLines('Which lichen is dry?')),
    put(`${SESSIONS}/live.jsonl`, openclawLines('live', 'Please water the moss')),
    put(`${SESSIONS}/old.jsonl.reset.2026-11-02T10-00-00.000Z`, openclawLines('old', 'The hose leaks')),
    put(`${SESSIONS}/gone.jsonl.deleted.2026-11-02T10-00-00.000Z`, openclawLines('gone', 'Forget the hose')),
  )
  put(
    `${SESSIONS}/sessions.json`,
    JSON.stringify({
      'agent:main:main': { sessionId: 'live', sessionFile: join(home, '.openclaw/credentials/x.jsonl') },
    }),
  )
  plantDatabase(join(home, '.openclaw'))
  for (const [index, canary] of TABLE_CANARIES.entries())
    canaries.set(join(home, AGENT, `(a table of keys, ${index})`), canary)
  transcripts.push(...plantOpenCode(home, put), ...plantFurther(home, put))
  canaries.set(join(home, OPENCODE_DATA, '(tables of keys)'), OPENCODE_TABLE_CANARY)
  plantCron(join(home, '.openclaw'), canaries)
  plantSemantic(join(home, '.openclaw'), canaries)
  for (const [link, target] of [
    [`${SESSIONS}/leads-out.jsonl`, '../../../../.claude.json'],
    [
      `${SESSIONS}/leads-to-a-log.jsonl`,
      join(home, '.config/Claude/local-agent-mode-sessions/o/a/local_1/audit.jsonl'),
    ],
    [`${SLUG}/leads-out.jsonl`, join(home, '.claude.jsonl')],
    ['.claude/projects/leads-out', join(home, '.openclaw/credentials')],
    ['.openclaw/agents/leads-out', join(home, '.claude/debug')],
    [`.codex/archived_sessions`, join(home, '.codex/log')],
    [`.codex/sessions/2027`, join(home, '.codex/log')],
    ['.pi/agent/sessions/leads-out', join(home, '.pi/agent/npm')],
    [`.pi/agent/${PI_SESSIONS}/leads-out.jsonl`, join(home, '.pi/agent/auth.json')],
    [`${OPENCODE_DATA}/opencode-out.db`, join(home, OPENCODE_DATA, 'log/opencode.db')],
    [`${OPENCODE_DATA}/storage/session/leads-out`, join(home, OPENCODE_DATA, 'storage/message/ses_other')],
    [`${OPENCODE_DATA}/storage/part/msg_file`, join(home, OPENCODE_DATA, 'storage/part/msg_other')],
    ['.gemini/tmp/leads-out', join(home, '.gemini/history/garden')],
    [`${GEMINI_SESSION.slice(0, -6)}1.jsonl`, join(home, '.gemini/oauth_creds.json')],
    ['.copilot/session-state/leads-out', join(home, '.copilot/logs')],
    [`.copilot/session-state/${THREAD}/workspace.yaml`, join(home, '.copilot/config.json')],
    ...FURTHER_LINKS.map(([link, target]) => [link, join(home, target)] as const),
  ] as const)
    symlinkSync(target, join(home, link))
  return { home, canaries, transcripts }
}

/** Links that stay inside the state directories and lead to files that are not transcripts. */
export function plantInnerLinks(home: string): void {
  for (const [link, target] of [
    [`${SESSIONS}/leads-aside.jsonl`, '../../../credentials/x.jsonl'],
    ['.openclaw/agents/leads-aside', '../credentials'],
    [`${SLUG}/leads-aside.jsonl`, '../../debug/x.jsonl'],
    ['.claude/projects/leads-aside', '../debug'],
    [`${SLUG}/${SESSION}/custom-title.json`, join(home, '.claude.json')],
    [
      `${SLUG}/${SESSION}/subagents/agent-a0011223344556677.meta.json`,
      join(home, '.claude/.credentials.json'),
    ],
  ] as const)
    symlinkSync(target, join(home, link))
}

/** Realistic content for a file of this name, so that opening it by mistake would also parse it. */
function contentFor(path: string, canary: string): string {
  if (path.startsWith('.codex') && path.includes('.jsonl')) return codexLines(canary)
  if (path.startsWith('.gemini') && path.includes('.jsonl')) return geminiLines(canary)
  if (path.startsWith('.qwen') && path.includes('.jsonl')) return qwenLines(canary)
  if (path.startsWith('.kimi') && path.includes('.jsonl')) return kimiLines(canary)
  if (path.startsWith('.copilot') && path.includes('.jsonl')) return copilotLines(canary)
  if (path.endsWith('.jsonl'))
    return path.startsWith('.claude') ? claudeLine(canary) : openclawLines('canary', canary)
  if (path.includes('.json'))
    return JSON.stringify({ customTitle: canary, apiKey: canary, sessionId: canary, label: canary })
  return canary
}

/** A database of OpenCode, a session in files, and a history of prompts. */
function plantOpenCode(home: string, put: (path: string, content: string) => string): string[] {
  const path = join(home, OPENCODE_DATA, 'opencode.db')
  const messages = [{ id: 'msg_1', at: 1793613602000, parts: [text('Which moss is in the database?')] }]
  opencodeDatabase(path, [{ id: 'ses_kept', at: 1793613601000, messages }]).close()
  const session = put(
    `${OPENCODE_DATA}/storage/session/global/ses_file.json`,
    record({
      id: 'ses_file',
      directory: '/home/ann/garden',
      title: 'Moss',
      time: { created: 1793613601000 },
    }),
  )
  const message = put(
    `${OPENCODE_DATA}/storage/message/ses_file/msg_file.json`,
    record({ role: 'user', time: { created: 1793613602000 } }),
  )
  const history = put(
    `${OPENCODE_STATE}/prompt-history.jsonl`,
    record({ input: 'Where is the moss?', parts: [] }),
  )
  return [path, session, message, history]
}

/** An agent's database of the newest era, with sessions in all its tables, next to the keys. */
function plantDatabase(state: string): void {
  const made = agentDatabase(state, 23)
  const lines = (id: string, text: string): string[] => openclawLines(id, text).trim().split('\n')
  made.session('kept', lines('kept', 'The moss is in the database'))
  made.session('cold', lines('cold', 'The moss is in a cold file'), { key: 'agent:main:cold' })
  made.freeze('cold', 'file')
  made.session('closed', lines('closed', 'The moss was reset'), { key: 'agent:main:closed' })
  made.archive('closed', 'reset')
  made.session('removed', lines('removed', 'The moss was deleted'), { key: 'agent:main:removed' })
  made.archive('removed', 'deleted')
  made.close()
}
