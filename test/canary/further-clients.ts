import { join } from 'node:path'
import { opencodeDatabase, text } from '../opencode-databases.ts'

type Put = (path: string, content: string) => string

const ID = '0a1b2c3d-2222-4222-8333-444455556666'
const QWEN_PROJECT = 'projects/-home-ann-garden'

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

/** A session of each client, by its path. */
export function plantFurther(home: string, put: Put): string[] {
  const kilo = join(home, '.local/share/kilo/kilo.db')
  const messages = [{ id: 'msg_k1', at: 1793613602000, parts: [text('Which mint is in the database?')] }]
  opencodeDatabase(kilo, [{ id: 'ses_mint', at: 1793613601000, messages }]).close()
  return [
    kilo,
    put('.local/state/kilo/prompt-history.jsonl', record({ input: 'Where is the mint?', parts: [] })),
    put(`.qwen/${QWEN_PROJECT}/chats/${ID}.jsonl`, qwenLines('Which rush is dry?')),
  ]
}

/** Links that lead to what must not be opened. */
export const FURTHER_LINKS: readonly (readonly [link: string, target: string])[] = [
  ['.local/share/kilo/kilo-out.db', '.local/share/kilo/log/kilo.db'],
  ['.qwen/projects/leads-out', '.qwen/file-history'],
  [`.qwen/${QWEN_PROJECT}/chats/${ID.replace('0a', '0b')}.jsonl`, '.qwen/oauth_creds.json'],
]
