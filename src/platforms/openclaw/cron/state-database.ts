import type { DatabaseSync } from 'node:sqlite'
import { openReadOnly } from '../../../io/sqlite.ts'
import type { CronJob, CronRun } from '../../../model/cron.ts'
import { asObject, asText, asTime } from '../../../model/json.ts'
import { jobOf } from './job.ts'
import { type RunContext, runOf } from './run.ts'
import { CRON_STATEMENTS } from './statements.ts'

/** Jobs and runs in the state database. `jobs` is undefined if it has no table of them. */
interface StoredCron {
  jobs?: CronJob[]
  runs: CronRun[]
  strange: number
}

type Row = Record<string, unknown>

/** Reads the database in place. Throws engine errors if it cannot be opened or stays locked. */
export function readStateDatabase(path: string): StoredCron {
  const { database } = openReadOnly(path)
  try {
    return read(database, path)
  } finally {
    database.close()
  }
}

function read(database: DatabaseSync, path: string): StoredCron {
  const columns = new Set(
    database
      .prepare(CRON_STATEMENTS.columns)
      .all()
      .map(({ name, column }) => `${name}.${column}`),
  )
  const has = (table: string, ...names: string[]): boolean =>
    names.every((name) => columns.has(`${table}.${name}`))
  const rows = (statement: string): Row[] => database.prepare(statement).all() as Row[]
  const runs: CronRun[] = []
  let strange = 0
  const keep = <Value>(value: Value | undefined): Value | undefined => {
    if (value === undefined) strange++
    return value
  }
  const add = (value: unknown, context: RunContext): void => {
    const run = keep(runOf(value, context))
    if (run !== undefined && run !== 'skipped') runs.push(run)
  }

  if (has('cron_run_logs', 'job_id', 'entry_json'))
    for (const { id, entry } of rows(CRON_STATEMENTS.runLogs)) add(parsed(entry), { path, jobId: asText(id) })
  if (
    has('task_runs', 'runtime', 'source_id', 'label', 'child_session_key', 'terminal_summary', 'detail_json')
  )
    for (const row of rows(CRON_STATEMENTS.taskRuns)) add(parsed(row.entry) ?? {}, contextOf(row, path))
  if (has('cron_run_receipts', 'job_id', 'agent_id', 'started_at_ms', 'finished_at_ms', 'error_text'))
    for (const row of rows(CRON_STATEMENTS.receipts)) add({}, contextOf(row, path))
  if (!has('cron_jobs', 'job_id', 'job_json', 'state_json')) return { runs, strange }
  const timed = has('cron_jobs', 'runtime_updated_at_ms')
  const jobs = rows(timed ? CRON_STATEMENTS.jobs : CRON_STATEMENTS.olderJobs).flatMap((row) => {
    const { id, job, state, updated } = row
    return (
      keep(
        jobOf(parsed(job), { path, key: asText(id), state: parsed(state), stateUpdated: updated, updated }),
      ) ?? []
    )
  })
  return { jobs, runs, strange }
}

const contextOf = (row: Row, path: string): RunContext => ({
  path,
  jobId: asText(row.id),
  jobName: asText(row.label),
  agent: asText(row.agent),
  sessionKey: asText(row.key),
  status: asText(row.status),
  startedMs: asTime(row.started),
  endedMs: asTime(row.ended),
  error: asText(row.error),
  summary: asText(row.summary),
})

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? asObject(JSON.parse(text)) : undefined
  } catch {
    return undefined
  }
}
