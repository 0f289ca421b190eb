import type { DatabaseSync } from 'node:sqlite'
import { openReadOnly } from '../../io/sqlite.ts'
import type { RecordKind, TableEntry } from '../../model/delivery.ts'
import { asTime } from '../../model/json.ts'
import { CRON_STATEMENTS } from './cron/statements.ts'
import { ask } from './eras/connection.ts'
import { sessionsOf } from './eras/database-sessions.ts'
import { SUBAGENT_STATEMENTS } from './subagents/statements.ts'

/**
 * The statements for each kind in the state database. Of alternatives, the first that fits the schema is
 * used.
 */
const STATEMENTS: Partial<
  Record<RecordKind, readonly (readonly [table: string, ...statements: string[]])[]>
> = {
  'cron-jobs': [['cron_jobs', CRON_STATEMENTS.jobs, CRON_STATEMENTS.olderJobs]],
  'cron-runs': [
    ['cron_run_logs', CRON_STATEMENTS.runLogs],
    ['task_runs', CRON_STATEMENTS.taskRuns],
    ['cron_run_receipts', CRON_STATEMENTS.receipts],
  ],
  'subagent-runs': [
    ['subagent_runs', SUBAGENT_STATEMENTS.runs],
    ['task_runs', SUBAGENT_STATEMENTS.tasks],
  ],
}
/** Columns that contain JSON. */
const JSON_COLUMNS: readonly string[] = ['job', 'state', 'entry', 'payload']

/** Named columns of named tables in OpenClaw's databases. Throws engine errors. */
export function tableRows(root: string, kind: RecordKind, path: string): TableEntry[] {
  return kind === 'session-index' ? sessionRows(root, path) : stateRows(kind, path)
}

/** What an agent's database says about its sessions, without their transcripts. */
function sessionRows(root: string, path: string): TableEntry[] {
  const agent = /[/\\]agents[/\\]([^/\\]+)[/\\]/.exec(path)?.[1] ?? 'main'
  const sessions = ask(path, (connection) => sessionsOf(connection, path, root, agent)) ?? []
  return sessions.map(({ sessionId, sessionKey, titleHint, entry, state, modifiedMs, parentSessionId }) => ({
    key: sessionKey ?? sessionId,
    at: modifiedMs,
    raw: { sessionId, sessionKey, title: titleHint, state, updatedAt: modifiedMs, parentSessionId, ...entry },
  }))
}

function stateRows(kind: RecordKind, path: string): TableEntry[] {
  const { database } = openReadOnly(path)
  try {
    return (STATEMENTS[kind] ?? []).flatMap(([table, ...statements]) =>
      entriesOf(table, database, statements),
    )
  } finally {
    database.close()
  }
}

/** The error for a table or column that an older or newer schema lacks. */
const UNKNOWN_NAME = /^no such (?:table|column)/

function entriesOf(table: string, database: DatabaseSync, statements: readonly string[]): TableEntry[] {
  for (const statement of statements)
    try {
      return database
        .prepare(statement)
        .all()
        .map((row, index) => entryOf(table, row, index))
    } catch (error) {
      if (!UNKNOWN_NAME.test((error as Error).message)) throw error
    }
  return []
}

function entryOf(table: string, row: Record<string, unknown>, index: number): TableEntry {
  const raw = Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null ? [] : [[name, JSON_COLUMNS.includes(name) ? parsed(value) : value]],
    ),
  )
  const at = asTime(row.started) ?? asTime(row.updated) ?? asTime((raw.entry as { ts?: unknown })?.ts)
  return { key: `${table} ${row.id ?? index}`, at, raw: { table, ...raw } }
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return value
  }
}
