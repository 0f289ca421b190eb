import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type SchemaVersion, schemaOf } from './agent-schemas.ts'

/** In the tables of keys of every database that a test creates. */
export const TABLE_CANARIES = ['canary-of-the-store-tweet', 'canary-of-the-state-tweet']

/** A writer waits for readers, as in OpenClaw. */
const PATIENT = { timeout: 5000 }
const EPOCH = Date.UTC(2026, 10, 1)
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

interface About {
  key?: string
  label?: string
  /** The key of the session that started this one. */
  spawner?: string
}

/** A record as it is written: an object, or its text. */
type Entry = object | string
const textOf = (entry: Entry): string => (typeof entry === 'string' ? entry : JSON.stringify(entry))

export type AgentDatabase = ReturnType<typeof agentDatabase>

/**
 * An agent's database as a release of OpenClaw creates it, below a state directory, open as in that agent.
 * Changes are made as OpenClaw makes them: with the time of the change and, from schema 13 on, with a new
 * generation if records were rewritten.
 */
export function agentDatabase(state: string, version: SchemaVersion, agent = 'main') {
  const path = join(state, 'agents', agent, 'agent/openclaw-agent.sqlite')
  mkdirSync(dirname(path), { recursive: true })
  let database = new DatabaseSync(path, PATIENT)
  database.exec(
    `PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${schemaOf(version)}`,
  )
  let clock = EPOCH
  let generations = 0
  let names = 0
  const table = version === 4 ? 'sessions' : 'session_windows'
  const run = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).run(...values)
  const all = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values)
  const now = (): number => {
    clock += 60_000
    return clock
  }
  run(
    'INSERT INTO auth_profile_store VALUES (?, ?, ?)',
    'main',
    JSON.stringify({ key: TABLE_CANARIES[0] }),
    clock,
  )
  run(
    'INSERT INTO auth_profile_state VALUES (?, ?, ?)',
    'main',
    JSON.stringify({ key: TABLE_CANARIES[1] }),
    clock,
  )
  run(
    "INSERT INTO schema_meta VALUES ('primary', 'agent', ?, ?, '2026.1.1', ?, ?)",
    version,
    agent,
    clock,
    clock,
  )

  const keyOf = (id: string): string =>
    String(all(`SELECT session_key AS "key" FROM ${table} WHERE session_id = ?`, id)[0]?.key)
  const nextSeq = (id: string): number =>
    Number(all('SELECT max(seq) + 1 AS next FROM transcript_events WHERE session_id = ?', id)[0]?.next ?? 0)
  const touch = (id: string) => run(`UPDATE ${table} SET updated_at = ? WHERE session_id = ?`, now(), id)
  /** The records of a session differ from now on. */
  function rewritten(id: string): void {
    touch(id)
    if (version === 4) return
    run(
      'INSERT OR REPLACE INTO transcript_rewrite_watermarks VALUES (?, ?, ?)',
      id,
      `g${++generations}`,
      clock,
    )
  }
  const insert = (id: string, seq: number, entry: Entry) =>
    run(
      'INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)',
      id,
      seq,
      textOf(entry),
      clock,
    )
  /** The records of a session, compressed or not. */
  function rowsOf(id: string): { seq: number; text: string }[] {
    const frame = version >= 23 ? 'event_zstd' : 'NULL'
    return all(
      `SELECT seq, event_json AS text, ${frame} AS frame FROM transcript_events WHERE session_id = ? ORDER BY seq`,
      id,
    ).map(({ seq, text, frame }) => ({
      seq: Number(seq),
      text: frame ? zstdDecompressSync(frame as Uint8Array).toString() : String(text),
    }))
  }

  return {
    path,
    get database(): DatabaseSync {
      return database
    },
    version,
    has: (id: string): boolean => all(`SELECT 1 FROM ${table} WHERE session_id = ?`, id).length > 0,
    /** The same in another file, as after a repair. */
    replace(): void {
      run('VACUUM INTO ?', `${path}.new`)
      database.close()
      renameSync(`${path}.new`, path)
      database = new DatabaseSync(path, PATIENT)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    },
    /** As after a restart of OpenClaw: the write-ahead log is merged and removed in between. */
    reopen(): void {
      database.close()
      database = new DatabaseSync(path, PATIENT)
      database.exec('PRAGMA synchronous = OFF')
    },
    touch,
    /** Renames the whole state directory. It has to be closed. */
    rename(other: string): string {
      renameSync(state, other)
      return other
    },
    /** A session whose key may have belonged to another one before. */
    session(
      id: string,
      entries: readonly Entry[],
      { key = `agent:${agent}:main`, label, spawner }: About = {},
    ): void {
      const at = now()
      if (version === 4) {
        run(
          'INSERT INTO sessions (session_id, session_key, created_at, updated_at, display_name) VALUES (?, ?, ?, ?, ?)',
          ...[id, key, at, at, label ?? null],
        )
        run('INSERT OR REPLACE INTO session_routes VALUES (?, ?, ?)', key, id, at)
      } else {
        run(
          `INSERT INTO session_nodes (session_key, current_session_id, entry_json, updated_at, label, spawned_by)
            VALUES (?, ?, '{}', ?, ?, ?) ON CONFLICT (session_key) DO UPDATE SET current_session_id = excluded.current_session_id`,
          ...[key, id, at, label ?? null, spawner ?? null],
        )
        run(
          `INSERT INTO session_windows (session_id, session_key, reason, created_at, updated_at, spawned_by)
            VALUES (?, ?, 'initial', ?, ?, ?)`,
          ...[id, key, at, at, spawner ?? null],
        )
        run('INSERT INTO transcript_rewrite_watermarks VALUES (?, ?, ?)', id, `g${++generations}`, at)
      }
      for (const [seq, entry] of entries.entries()) insert(id, seq, entry)
    },
    /** After the last record, or after a gap. */
    append(id: string, entries: readonly Entry[], gap = 0): void {
      const first = nextSeq(id) + gap
      for (const [index, entry] of entries.entries()) insert(id, first + index, entry)
      touch(id)
    },
    /** Other text in the same position. */
    rewrite(id: string, seq: number, entry: Entry): void {
      const packed =
        version >= 23 ? ', event_zstd = NULL, event_utf8_bytes = NULL, navigation_json = NULL' : ''
      run(
        `UPDATE transcript_events SET event_json = ?${packed} WHERE session_id = ? AND seq = ?`,
        ...[textOf(entry), id, seq],
      )
      rewritten(id)
    },
    /** All records from a number on. */
    cut(id: string, from: number): void {
      run('DELETE FROM transcript_events WHERE session_id = ? AND seq >= ?', id, from)
      rewritten(id)
    },
    drop(id: string): void {
      run('DELETE FROM transcript_events WHERE session_id = ?', id)
      run(`DELETE FROM ${table} WHERE session_id = ?`, id)
    },
    /** Compresses records into frames of zstd, with the same content. */
    pack(id: string): void {
      for (const { seq, text } of rowsOf(id))
        run(
          `UPDATE transcript_events SET event_json = NULL, event_zstd = ?, event_utf8_bytes = ?, navigation_json = '{"version":1}'
              WHERE session_id = ? AND seq = ?`,
          ...[zstdCompressSync(text), Buffer.byteLength(text), id, seq],
        )
    },
    /** What `/reset` and deleting do: the records become one file, in a row. */
    archive(id: string, reason: 'reset' | 'deleted', encoding: 'identity' | 'zstd' = 'zstd'): string {
      const content = Buffer.from(
        rowsOf(id)
          .map(({ text }) => `${text}\n`)
          .join(''),
      )
      const blob = encoding === 'zstd' ? zstdCompressSync(content) : content
      const name = `${id}.jsonl.${reason}.2026-11-01T10-00-00.${String(++names).padStart(3, '0')}Z`
      run(
        `INSERT INTO session_transcript_archives (session_id, generation, session_key, reason, encoding, archive_blob,
          archive_sha256, archive_name, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[id, `g${++generations}`, keyOf(id), reason, encoding, blob, sha256(content), name, now()],
      )
      run('DELETE FROM transcript_events WHERE session_id = ?', id)
      if (reason === 'deleted') run(`DELETE FROM ${table} WHERE session_id = ?`, id)
      else rewritten(id)
      return name
    },
    /** What happens to an unused session: its records are moved to a compressed file, or to a row. */
    freeze(id: string, storage: 'file' | 'sqlite'): void {
      const rows = rowsOf(id)
      const lines = [
        { kind: 'header', row: { session_id: id } },
        ...rows.map(({ seq, text }) => ({
          kind: 'event',
          row: { seq, event_json: text, created_at: clock },
        })),
        { kind: 'index', row: { indexed_seq: rows.length } },
      ]
      const content = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const packed = zstdCompressSync(content)
      const name = `${sha256(packed)}.jsonl.zst`
      if (storage === 'file') {
        const folder = join(state, 'agents', agent, 'sessions/cold')
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, name), packed)
      }
      run(
        'INSERT INTO session_transcript_cold_archives VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[id, 'g', name, sha256(packed), rows.length, content.length, packed.length, rows.at(-1)!.seq],
        ...[now(), storage, storage === 'sqlite' ? packed : null],
      )
      run('DELETE FROM transcript_events WHERE session_id = ?', id)
    },
    close: (): void => database.close(),
  }
}
