import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { agentDatabase } from './agent-databases.ts'
import { openclaw, put, text, uuid } from './records.ts'
import { stateDatabase } from './state-database.ts'

/** A prompt and a reply that both contain a word of their own; `base` numbers their records. */
const talk = (id: string, base: number, word: string): object[] => [openclaw.header(id), ...turn(base, word)]
const turn = (base: number, word: string): object[] => [
  openclaw.user(base + 1, `${word} please`),
  openclaw.reply(base + 2, [text(`${word} done`)]),
]
/** A command that failed. */
const failure = (base: number): object[] => [
  openclaw.reply(base + 3, [
    { type: 'toolCall', id: `call_${base}`, name: 'exec', arguments: { command: 'water --all' } },
  ]),
  openclaw.message(base + 4, {
    ...{ role: 'toolResult', toolCallId: `call_${base}`, toolName: 'exec', isError: false },
    ...{ content: [text('no water')], details: { status: 'completed', exitCode: 2 } },
  }),
]

/**
 * The lines of a session that is in three state directories: a prompt and a reply, a failed command, and one
 * more of each.
 */
const basil = [...talk(uuid(1), 100, 'basil'), ...failure(100), ...turn(104, 'basil')]

const RESET = '.reset.2026-10-01T10-00-00'
const HEX = '0123456789abcdef0123456789abcdef'
const IMPORTED = '.imported-1795000000000'
/** The word that only copies and by-products contain. No command may find it. */
export const WEED = 'nettle'

/** Sessions of the agent `main` as files in a state directory. */
function files(state: string): void {
  const at = (name: string) => join(state, 'agents/main/sessions', name)
  const write = (name: string, lines: readonly object[]) => put(at(name), lines)
  const packed = (lines: readonly object[]): Buffer =>
    zstdCompressSync(lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
  write(`${uuid(1)}.jsonl`, basil)
  write(`${uuid(2)}.jsonl${RESET}.000Z`, talk(uuid(2), 200, 'fern'))
  write(`${uuid(3)}.jsonl${RESET}Z`, talk(uuid(3), 300, 'moss'))
  put(at(`${uuid(4)}.jsonl${RESET}.000Z.${HEX}.zst`), packed(talk(uuid(4), 400, 'thyme')))
  write(`${uuid(5)}.jsonl.deleted.2026-10-01T10-00-00.000Z`, talk(uuid(5), 500, 'poppy'))
  put(at(`${uuid(30)}.jsonl.deleted.2026-10-01T10-00-00Z.${HEX}.zst`), packed(talk(uuid(30), 3000, 'orchid')))
  write(`${uuid(6)}-topic-77.jsonl`, talk(uuid(6), 600, 'mint'))
  write(`_archived/${uuid(7)}.jsonl`, talk(uuid(7), 700, 'sage'))
  write('garden-notes.jsonl', talk('garden-notes', 800, 'dill'))
  // A fork repeats its parent and continues.
  write(`2026-11-02T09-00-00-000Z_${uuid(8)}.jsonl`, [
    {
      ...openclaw.header(uuid(8)),
      parentSession: at(`${uuid(1)}.jsonl`),
      timestamp: '2026-11-02T09:00:00.000Z',
    },
    ...basil.slice(1),
    ...turn(900, 'fork'),
  ])
  // A rewritten history: the records have new ids, but the reply is the same.
  const rose = [
    openclaw.user(1001, 'rose please'),
    openclaw.message(1002, {
      ...{ role: 'assistant', stopReason: 'stop', model: 'gpt-6', responseId: 'resp_rose' },
      ...{ content: [text('rose done')], usage: { input: 10, output: 20 } },
    }),
  ]
  const anew = rose.map((each, index) => ({ ...each, id: `f000000${index}` }))
  write(`${uuid(9)}.jsonl`, [openclaw.header(uuid(9)), ...rose, ...anew, ...turn(1010, 'rose')])
  write('run-0001.jsonl', talk('run-0001', 1100, 'sprinkler'))
  write(`${uuid(10)}.jsonl`, talk(uuid(10), 1200, 'bee'))
  put(
    at('sessions.json'),
    JSON.stringify({
      'agent:main:main': { sessionId: uuid(1), updatedAt: 1 },
      'agent:main:cron:ferns': { sessionId: 'run-0001', updatedAt: 1 },
      [`agent:main:subagent:${uuid(11)}`]: {
        sessionId: uuid(10),
        updatedAt: 1,
        spawnedBy: 'agent:main:main',
      },
    }),
  )
  // Next to them, copies and files that are not transcripts.
  const weed = [...basil, ...turn(5000, WEED)]
  for (const name of [
    `${uuid(1)}.jsonl.bak.2026-10-01T10-00-00.000Z`,
    `${uuid(1)}.jsonl.bak-4711-1795000000000`,
    `${uuid(1)}.checkpoint.${uuid(12)}.jsonl`,
    `${uuid(1)}.trajectory.jsonl`,
    `${uuid(1)}.acp-stream.jsonl`,
    `_copy/agents/main/sessions/${uuid(1)}.jsonl`,
    '../../../backup/.openclaw/agents/main/sessions/copy.jsonl',
    `../../../backup/.openclaw/agents/copied/sessions/${uuid(1)}.jsonl`,
  ])
    write(name, weed)
  put(at(`${uuid(1)}.jsonl.lock`), '{"pid":1}')
}

/** The file of a session that its migration into a database leaves in the import archive. */
const imported = (state: string, agent: string, id: string, lines: readonly object[]) =>
  put(
    join(
      state,
      `agents/${agent}/session-sqlite-import-archive`,
      `agent_${agent}_main.${id}.jsonl${IMPORTED}`,
    ),
    lines,
  )

const PENDING = `CREATE TABLE session_pending_inputs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, input_id TEXT NOT NULL UNIQUE, session_key TEXT NOT NULL, session_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL, run_id TEXT NOT NULL, request_hash TEXT NOT NULL, message_json TEXT NOT NULL,
  lifecycle_generation TEXT NOT NULL, state TEXT NOT NULL, accepted_at INTEGER NOT NULL, consumed_event_id TEXT) STRICT`
/** Four agents with databases of different releases. */
function databases(state: string): void {
  const beta = agentDatabase(state, 4, 'ops')
  beta.session(uuid(41), talk(uuid(41), 4100, 'tulip'))
  imported(state, 'ops', uuid(41), talk(uuid(41), 4100, 'tulip'))
  beta.close()

  const first = agentDatabase(state, 14, 'field')
  first.session(uuid(42), talk(uuid(42), 4200, 'clover'))
  first.close()

  const stable = agentDatabase(state, 19, 'shop')
  stable.session(uuid(43), talk(uuid(43), 4300, 'peony'))
  stable.archive(uuid(43), 'reset', 'identity')
  stable.session(uuid(44), talk(uuid(44), 4400, 'lupin'))
  stable.close()

  const newest = agentDatabase(state, 23, 'lab')
  newest.session(uuid(51), talk(uuid(51), 5100, 'cedar'))
  newest.pack(uuid(51))
  imported(state, 'lab', uuid(51), talk(uuid(51), 5100, 'cedar').slice(0, 2))
  newest.session(uuid(52), talk(uuid(52), 5200, 'birch'), { key: 'agent:lab:birch' })
  newest.archive(uuid(52), 'reset', 'zstd')
  newest.session(uuid(53), talk(uuid(53), 5300, 'larch'), { key: 'agent:lab:larch' })
  newest.archive(uuid(53), 'deleted', 'zstd')
  newest.session(uuid(54), talk(uuid(54), 5400, 'maple'), { key: 'agent:lab:maple' })
  newest.freeze(uuid(54), 'file')
  newest.session(uuid(55), talk(uuid(55), 5500, 'alder'), { key: 'agent:lab:alder' })
  newest.freeze(uuid(55), 'sqlite')
  // Accepted, but not in any transcript yet.
  newest.database.exec(PENDING)
  newest.database
    .prepare(
      "INSERT INTO session_pending_inputs VALUES (NULL, 'i', 'k', ?, 'i', 'r', 'h', ?, 'l', 'queued', ?, NULL)",
    )
    .run(uuid(51), JSON.stringify({ role: 'user', content: 'hazel please' }), Date.UTC(2026, 10, 6))
  newest.close()
  // A session that was reset before the migration remains a file.
  put(join(state, 'agents/lab/sessions', `${uuid(56)}.jsonl${RESET}.123Z`), talk(uuid(56), 5600, 'willow'))
}

const job = (id: string, name: string) => ({ id, name, schedule: { kind: 'cron', expr: '0 9 * * *' } })
const START = Date.UTC(2026, 10, 1, 9)
const run = {
  ts: START + 400,
  jobId: 'ferns',
  action: 'finished',
  status: 'ok',
  runAtMs: START,
  durationMs: 400,
}

function cron(state: string): void {
  const jobs = [job('ferns', 'Water the ferns'), job('hose', 'Wind up the hose')]
  put(join(state, 'cron/jobs.json.migrated'), JSON.stringify({ version: 1, jobs }))
  put(join(state, 'cron/runs/ferns.jsonl.migrated'), [run])
  const database = stateDatabase(state, 'late')
  database.job('ferns', job('ferns', 'Water the ferns'))
  database.job('report', job('report', 'Moss report'))
  database.task('ferns', { at: START })
  database.task('ferns', { at: START + 86_400_000 })
  database.close()
}

function memory(home: string): void {
  const write = (name: string, words: string) => put(join(home, name), `${words}\n`)
  write('.openclaw/workspace/MEMORY.md', 'Ferns like shade.')
  write('.openclaw/workspace/memory/2026-10-03.md', 'Counted the ferns.')
  write('.openclaw/workspace-ops/SOUL.md', 'Calm.')
  write('.openclaw/backup/.openclaw/workspace/MEMORY.md', `A copy with ${WEED}.`)
  write('.clawdbot/workspace/MEMORY.md', 'Lilacs like sun.')
}

/** A directory of the first releases that later ones left behind, and a link that a rename left. */
function older(home: string): void {
  const old = join(home, '.clawdbot')
  const sessions = join(old, 'agents/main/sessions')
  put(join(sessions, `${uuid(1)}.jsonl`), basil.slice(0, 3))
  put(join(sessions, `${uuid(20)}.jsonl`), talk(uuid(20), 2000, 'lilac'))
  // The first format, without a version and ids.
  const bare = talk('ivy', 2100, 'ivy').map((line) => ({
    ...line,
    id: undefined,
    parentId: undefined,
    version: undefined,
  }))
  put(join(old, 'sessions/ivy.jsonl'), bare)
  symlinkSync(join(home, '.openclaw'), join(home, '.moltbot'))
}

/** Fills a home with the files of every release of OpenClaw. */
export function erasHome(home: string): string {
  const state = join(home, '.openclaw')
  files(state)
  databases(state)
  cron(state)
  memory(home)
  older(home)
  const runs = {
    version: 1,
    runs: { r1: { runId: 'r1', childSessionKey: `agent:main:subagent:${uuid(11)}`, task: 'count bees' } },
  }
  put(join(state, 'subagents/runs.json'), JSON.stringify(runs))
  return state
}
