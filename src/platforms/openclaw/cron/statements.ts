/**
 * Everything that is ever asked of the state database of OpenClaw. It keeps keys and tokens of devices and servers in tables of
 * its own, which no statement names; a test looks at each of these. Runs stand in `cron_run_logs` (2026.6.1 to 8.x), later in
 * `task_runs`, with a receipt for each.
 */
export const CRON_STATEMENTS = {
  /** The tables and columns there are, of those that are named here. */
  columns: `SELECT m.name AS name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name IN ('cron_jobs', 'cron_run_logs', 'task_runs', 'cron_run_receipts')`,
  jobs: 'SELECT job_id AS id, job_json AS job, state_json AS state, runtime_updated_at_ms AS updated FROM cron_jobs',
  /** Before it was written down when the state of a job last changed. */
  olderJobs: 'SELECT job_id AS id, job_json AS job, state_json AS state, NULL AS updated FROM cron_jobs',
  /** Their order and their other columns are not the same in all versions; the entry holds all of it. */
  runLogs: 'SELECT job_id AS id, entry_json AS entry FROM cron_run_logs',
  taskRuns: `SELECT source_id AS id, label, agent_id AS agent, child_session_key AS "key", status, error, terminal_summary AS summary,
    started_at AS started, ended_at AS ended, detail_json AS entry FROM task_runs WHERE runtime = 'cron'`,
  receipts: `SELECT job_id AS id, agent_id AS agent, status, started_at_ms AS started, finished_at_ms AS ended, error_text AS error
    FROM cron_run_receipts`,
} as const
