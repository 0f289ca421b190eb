import { join } from 'node:path'
import { opencodeDatabase, text } from '../opencode-databases.ts'

type Put = (path: string, content: string) => string

const ID = '0a1b2c3d-2222-4222-8333-444455556666'
const QWEN_PROJECT = 'projects/-home-ann-garden'

const CLINE_SESSION = '1793613600000_mosss'
const KIMI_SESSION = `sessions/wd_garden_0a1b2c3d4e5f/session_${ID}`

/** What is next to the transcripts of a client and must not be opened, by the folder of the client. */
const NEAR: Record<string, readonly string[]> = {
  '.local/share/kilo': [
    ...[
      'auth.json',
      'mcp-auth.json',
      'kilo.json',
      'kilo.jsonc',
      'log/kilo.db',
      'telemetry-id',
      'repos/kilo.db',
    ],
    ...['storage/session_diff/ses_x.json', 'kilo.db.bak', 'other.db', 'snapshot/x.json'],
  ],
  '.local/state/kilo': ['kv.json', 'model.json'],
  '.config/kilo': ['kilo.json', 'kilo.jsonc'],
  '.qwen': [
    ...[
      'settings.json',
      'settings.json.orig',
      'oauth_creds.json',
      '.env',
      'installation_id',
      'sessions/83.json',
    ],
    ...[
      'usage_record.jsonl',
      'usage/token-usage-2026-11.jsonl',
      'file-history/x.jsonl',
      'tmp/x.jsonl',
      'x.jsonl',
    ],
    ...[
      'chats/x.jsonl',
      'meta.json',
      'extract-cursor.json',
      `chats/${ID}.runtime.json`,
      'chats/x.jsonl.bak',
    ].map((name) => `${QWEN_PROJECT}/${name}`),
    ...[`subagents/${ID}/x.jsonl`, 'subagents/agent-x.jsonl', 'memory/key.pem', 'deep/chats/x.jsonl'].map(
      (name) => `${QWEN_PROJECT}/${name}`,
    ),
  ],
  '.cline/data': [
    ...['settings/providers.json', 'settings/x.messages.json', 'secrets.json', 'secrets.json.bak', 'x.json'],
    ...['db/sessions.db', 'db/connectors.db', 'locks/x.json', 'logs/cline.log', 'sessions/x.messages.json'],
    ...['x.messages.json', `${CLINE_SESSION}.messages.json.bak`, 'agent_x.json', 'deep/x.messages.json'].map(
      (name) => `sessions/${CLINE_SESSION}/${name}`,
    ),
    'sessions/other/other.messages.json',
  ],
  '.continue': [
    ...['config.yaml', 'config.json', 'config.ts', 'auth.json', '.env', 'permissions.yaml', 'settings.json'],
    ...['logs/cn.log', 'index/x.json', 'dev_data/x.jsonl', 'input_history.json', 'sessions/x.json'],
    ...[`sessions/${ID}.json.bak`, `sessions/deep/${ID}.json`, `${ID}.json`],
  ],
  '.kimi-code': [
    ...[
      'config.toml',
      'config.toml.bak',
      'mcp.json',
      'tui.toml',
      'credentials/kimi.json',
      'oauth/x.json',
      'device_id',
    ],
    ...['logs/kimi.log', 'logs/x.jsonl', 'file-history/x@v1', 'cache/x.jsonl', 'x.jsonl', 'sessions/x.jsonl'],
    ...['logs/x.jsonl', 'wire.jsonl', 'notify/state.json', 'agents/wire.jsonl', 'agents/main/x.jsonl'].map(
      (name) => `${KIMI_SESSION}/${name}`,
    ),
    ...['agents/main/wire.jsonl.bak', 'agents/main/file-history/x', 'agents/main/deep/wire.jsonl'].map(
      (name) => `${KIMI_SESSION}/${name}`,
    ),
  ],
}

export const NEAR_FURTHER: readonly string[] = Object.entries(NEAR).flatMap(([folder, names]) =>
  names.map((name) => `${folder}/${name}`),
)

const record = (value: unknown): string => `${JSON.stringify(value)}\n`

export const qwenLines = (words: string): string =>
  record({
    ...{ uuid: ID, parentUuid: null, sessionId: ID, timestamp: '2026-11-01T10:00:00.000Z', type: 'user' },
    ...{ provenance: 'real_user', cwd: '/home/ann/garden', version: '0.24.4' },
    message: { role: 'user', parts: [{ text: words }] },
  })

export const kimiLines = (words: string): string =>
  record({ type: 'metadata', protocol_version: '1.5', created_at: 1793613600000 }) +
  record({
    ...{ type: 'turn.prompt', agentId: 'main', input: [{ type: 'text', text: words }], turnId: 0 },
    ...{ origin: { kind: 'user' }, time: 1793613601000 },
  })

/** A session of each client, by its path. */
export function plantFurther(home: string, put: Put): string[] {
  const kilo = join(home, '.local/share/kilo/kilo.db')
  const messages = [{ id: 'msg_k1', at: 1793613602000, parts: [text('Which mint is in the database?')] }]
  opencodeDatabase(kilo, [{ id: 'ses_mint', at: 1793613601000, messages }]).close()
  return [
    kilo,
    put('.local/state/kilo/prompt-history.jsonl', record({ input: 'Where is the mint?', parts: [] })),
    put(`.qwen/${QWEN_PROJECT}/chats/${ID}.jsonl`, qwenLines('Which rush is dry?')),
    put(`.kimi-code/${KIMI_SESSION}/agents/main/wire.jsonl`, kimiLines('Which sedge is dry?')),
    put(
      `.cline/data/sessions/${CLINE_SESSION}/${CLINE_SESSION}.messages.json`,
      record({
        messages: [
          { id: 'u', role: 'user', content: '<user_input mode="act">Which reed is dry?</user_input>' },
        ],
      }),
    ),
    put(`.cline/data/sessions/${CLINE_SESSION}/${CLINE_SESSION}.json`, record({ cwd: '/home/ann/garden' })),
    put(
      `.continue/sessions/${ID}.json`,
      record({
        ...{ sessionId: ID, workspaceDirectory: '/home/ann/garden' },
        history: [{ message: { role: 'user', content: 'Which cane is dry?' } }],
      }),
    ),
    put('.continue/sessions/sessions.json', record([{ sessionId: ID, dateCreated: '1793613600000' }])),
    put(`.kimi-code/${KIMI_SESSION}/state.json`, record({ cwd: '/home/ann/garden', title: 'Dry sedge' })),
  ]
}

/** Links that lead to what must not be opened. */
export const FURTHER_LINKS: readonly (readonly [link: string, target: string])[] = [
  ['.local/share/kilo/kilo-out.db', '.local/share/kilo/log/kilo.db'],
  ['.qwen/projects/leads-out', '.qwen/file-history'],
  ['.kimi-code/sessions/leads-out', '.kimi-code/logs'],
  [`.cline/data/sessions/${CLINE_SESSION}/${CLINE_SESSION}.compaction.json`, '.cline/data/secrets.json'],
  [`.continue/sessions/${ID.replace('0a', '0b')}.json`, '.continue/auth.json'],
  [`.kimi-code/${KIMI_SESSION}/agents/agent-0`, '.kimi-code/credentials'],
  [`.qwen/${QWEN_PROJECT}/chats/${ID.replace('0a', '0b')}.jsonl`, '.qwen/oauth_creds.json'],
]
