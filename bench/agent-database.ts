/**
 * Writes an invented OpenClaw agent database, schema 23: `node bench/agent-database.ts <state directory>
 * <megabytes>`. The same arguments always give the same records. About three quarters of the bytes are tool
 * results. Of the records of at least one kibibyte, which that release may compress, one in four is a zstd
 * frame.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { schemaOf } from '../test/agent-schemas.ts'
import { createRandom, inventCode, inventProse } from './invent.ts'

const FROM = Date.UTC(2026, 8, 1)
const KIBIBYTE = 1024
const PACKED = 0.25
/** The average number of records per session. Sizes differ by two orders of magnitude. */
const RECORDS = 1500
const SPREADS = [0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.7, 4]

export const databaseIn = (state: string): string => join(state, 'agents/main/agent/openclaw-agent.sqlite')

/** Invents records one by one: a prompt, some steps of the agent with their results, and the reply. */
export function createRecords(seed: number): () => { text: string; at: number } {
  const random = createRandom(seed)
  const code = inventCode(random, 400_000)
  const prose = inventProse(random, 200_000)
  const slice = (text: string, length: number): string => {
    const from = Math.floor(random() * (text.length - length))
    return text.slice(from, from + length)
  }
  let number = 0
  let steps = 0
  let waiting: string | undefined
  const message = (): object => {
    if (waiting !== undefined) {
      const toolCallId = waiting
      waiting = undefined
      const failed = random() < 0.04
      const long = random() < 0.4
      const output = slice(code, long ? 1500 + Math.floor(random() * 9000) : 100 + Math.floor(random() * 900))
      return {
        role: 'toolResult',
        toolCallId,
        toolName: 'exec',
        content: [{ type: 'text', text: output }],
        details: { status: 'completed', exitCode: failed ? 1 : 0, durationMs: 812 },
        isError: false,
      }
    }
    if (steps === 0) {
      steps = 1 + Math.floor(random() * 12)
      return { role: 'user', content: slice(prose, 40 + Math.floor(random() * 400)) }
    }
    const content: object[] = []
    if (--steps === 0 || random() < 0.4)
      content.push({ type: 'text', text: slice(prose, 80 + Math.floor(random() * 500)) })
    if (steps > 0) {
      waiting = `call_${number}`
      const command = `npm test -- src/part-${Math.floor(random() * 90)}.ts`
      content.push({ type: 'toolCall', id: waiting, name: 'exec', arguments: { command } })
    }
    return {
      role: 'assistant',
      content,
      api: 'anthropic-messages',
      provider: 'anthropic',
      model: 'claude-opus-4-5',
      usage: { input: 10, output: 120, cacheRead: 41_200, cacheWrite: 812, totalTokens: 42_142 },
      stopReason: steps > 0 ? 'toolUse' : 'stop',
    }
  }
  return () => {
    const at = FROM + number * 2000
    const id = number.toString(16).padStart(8, '0')
    const parentId = number === 0 ? null : (number - 1).toString(16).padStart(8, '0')
    const record = { type: 'message', id, parentId, timestamp: new Date(at).toISOString() }
    const text = JSON.stringify({ ...record, message: { ...message(), timestamp: at } })
    number++
    return { text, at }
  }
}

export function writeAgentDatabase(state: string, megabytes: number): void {
  const path = databaseIn(state)
  rmSync(state, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${schemaOf(23)}`)
  const node = database.prepare(
    "INSERT INTO session_nodes (session_key, current_session_id, entry_json, updated_at) VALUES (?, ?, '{}', ?)",
  )
  const window =
    database.prepare(`INSERT INTO session_windows (session_id, session_key, reason, created_at, updated_at)
    VALUES (?, ?, 'initial', ?, ?)`)
  const watermark = database.prepare('INSERT INTO transcript_rewrite_watermarks VALUES (?, ?, ?)')
  const event =
    database.prepare(`INSERT INTO transcript_events (session_id, seq, event_json, created_at, event_zstd,
    event_utf8_bytes, navigation_json) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const random = createRandom(megabytes)
  const next = createRecords(megabytes)
  for (let session = 0; statSync(path).size < megabytes * 1e6; session++) {
    const id = `session-${String(session).padStart(4, '0')}`
    database.exec('BEGIN')
    node.run(`agent:main:${id}`, id, FROM)
    window.run(id, `agent:main:${id}`, FROM, FROM)
    watermark.run(id, 'g1', FROM)
    const header = {
      type: 'session',
      version: 4,
      id,
      timestamp: new Date(FROM).toISOString(),
      cwd: '/home/dev',
    }
    event.run(id, 0, JSON.stringify(header), FROM, null, null, null)
    const count = RECORDS * SPREADS[session % SPREADS.length]!
    let until = FROM
    for (let seq = 1; seq <= count; seq++) {
      const { text, at } = next()
      const packed = text.length >= KIBIBYTE && random() < PACKED
      event.run(
        ...[id, seq, packed ? null : text, at],
        ...(packed ? [zstdCompressSync(text), Buffer.byteLength(text), '{"version":1}'] : [null, null, null]),
      )
      until = at
    }
    database.prepare('UPDATE session_windows SET updated_at = ? WHERE session_id = ?').run(until, id)
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  }
  database.close()
}

/** Writes the records of such a database as transcripts into another state directory. */
export function writeAsFiles(path: string, state: string): void {
  const folder = join(state, 'agents/main/sessions')
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare(
      'SELECT session_id AS id, event_json AS text, event_zstd AS packed FROM transcript_events ORDER BY 1, seq',
    )
    .iterate()
  let lines: string[] = []
  let session: string | undefined
  const write = (): void => {
    if (session !== undefined) writeFileSync(join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`)
    lines = []
  }
  for (const { id, text, packed } of rows) {
    if (id !== session) write()
    session = String(id)
    lines.push(text === null ? zstdDecompressSync(packed as Uint8Array).toString() : String(text))
  }
  write()
  database.close()
}

if (import.meta.main) {
  const [state, megabytes] = process.argv.slice(2)
  if (!state || !megabytes) throw new Error('node bench/agent-database.ts <state directory> <megabytes>')
  writeAgentDatabase(state, Number(megabytes))
}
