import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** In the tables of keys of every state database that a test creates. */
export const STATE_CANARY = 'canary-of-the-machine-tweet'

/** Tables that contain keys in the database of a real installation, here with only that column. */
const KEYS = ['mcp_oauth_stores', 'config_machine_state', 'device_auth_tokens', 'secret_store_entries']

/** The columns of `cron_jobs` in both generations, and those that the later one adds. */
const JOBS = `store_key TEXT NOT NULL, job_id TEXT NOT NULL, name TEXT NOT NULL, enabled INTEGER NOT NULL, job_json TEXT NOT NULL,
  state_json TEXT NOT NULL DEFAULT '{}', updated_at INTEGER NOT NULL`
const EARLY = `CREATE TABLE cron_jobs (${JOBS}, PRIMARY KEY (store_key, job_id));
  CREATE TABLE cron_run_logs (store_key TEXT NOT NULL, job_id TEXT NOT NULL, seq INTEGER NOT NULL, ts INTEGER NOT NULL,
    entry_json TEXT NOT NULL, PRIMARY KEY (store_key, job_id, seq));`
const LATE = `CREATE TABLE cron_jobs (${JOBS}, runtime_updated_at_ms INTEGER, PRIMARY KEY (store_key, job_id)) STRICT;
  CREATE TABLE task_runs (task_id TEXT PRIMARY KEY, runtime TEXT NOT NULL, source_id TEXT, child_session_key TEXT, agent_id TEXT,
    label TEXT, task TEXT NOT NULL, status TEXT NOT NULL, started_at INTEGER, ended_at INTEGER, error TEXT,
    terminal_summary TEXT, detail_json TEXT) STRICT;
  CREATE TABLE cron_run_receipts (receipt_id TEXT PRIMARY KEY, store_key TEXT NOT NULL, job_id TEXT NOT NULL, agent_id TEXT NOT NULL,
    status TEXT NOT NULL, started_at_ms INTEGER NOT NULL, finished_at_ms INTEGER, error_text TEXT) STRICT;`

/** The same in all versions, except for columns that no test needs. */
const SUBAGENTS = `CREATE TABLE subagent_runs (run_id TEXT NOT NULL PRIMARY KEY, child_session_key TEXT NOT NULL,
  requester_session_key TEXT NOT NULL, created_at INTEGER NOT NULL, payload_json TEXT NOT NULL DEFAULT '{}')`

/** `early`: 2026.6.1 to 8.x, with a log of runs; `late`: 2026.9.6, with tasks and receipts. */
type Generation = 'early' | 'late'

/** The state database of an installation, below its state directory, open as in OpenClaw. */
export function stateDatabase(state: string, generation: Generation) {
  const path = join(state, 'state/openclaw.sqlite')
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; ${generation === 'early' ? EARLY : LATE}`)
  database.exec(SUBAGENTS)
  for (const table of KEYS) database.exec(`CREATE TABLE ${table} (value TEXT)`)
  const run = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).run(...values)
  for (const table of KEYS) run(`INSERT INTO ${table} VALUES (?)`, STATE_CANARY)
  let rows = 0
  return {
    path,
    /** A job with its separate state; `updated` is when that was written. */
    job(id: string, fields: object, jobState: object | string = {}, updated = 0) {
      const text = JSON.stringify({ id, ...fields })
      const noted = typeof jobState === 'string' ? jobState : JSON.stringify(jobState)
      run(
        `INSERT INTO cron_jobs (store_key, job_id, name, enabled, job_json, state_json, updated_at) VALUES ('', ?, '', 1, ?, ?, ?)`,
        ...[id, text, noted, updated],
      )
      if (generation === 'late') run('UPDATE cron_jobs SET runtime_updated_at_ms = ?', updated)
    },
    /** A run in the log of the early generation. */
    log(id: string, entry: object) {
      rows++
      run("INSERT INTO cron_run_logs VALUES ('', ?, ?, 0, ?)", id, rows, JSON.stringify(entry))
    },
    /** A run as a task of the late generation. */
    task(
      id: string,
      fields: { runtime?: string; label?: string; key?: string; at: number; detail?: object },
    ) {
      const { runtime = 'cron', label = null, key = null, at, detail } = fields
      run(
        "INSERT INTO task_runs VALUES (?, ?, ?, ?, 'main', ?, '', 'succeeded', ?, ?, NULL, 'done', ?)",
        ...[`task ${++rows}`, runtime, id, key, label, at, at + 400, detail ? JSON.stringify(detail) : null],
      )
    },
    receipt(id: string, status: string, at: number, error: string | null = null) {
      run(
        "INSERT INTO cron_run_receipts VALUES (?, '', ?, 'main', ?, ?, ?, ?)",
        ...[`receipt ${++rows}`, id, status, at, status === 'running' ? null : at + 400, error],
      )
    },
    /** The record of a subagent. */
    subagent(id: string, record: object) {
      run("INSERT INTO subagent_runs VALUES (?, '', '', 0, ?)", id, JSON.stringify(record))
    },
    close: () => database.close(),
  }
}
