/**
 * All statements for cron jobs in OpenClaw's state database. Its keys and tokens of devices and servers are
 * in other tables, which no statement names; a test checks each statement. Runs are in `cron_run_logs`
 * (2026.6.1 to 8.x) and later in `task_runs`, with a receipt for each.
 */
export const CRON_STATEMENTS = {
  /** Which of the named tables and columns exist. */
  columns: `SELECT m.name AS name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name IN ('cron_jobs', 'cron_run_logs', 'task_runs', 'cron_run_receipts')`,
  jobs: 'SELECT job_id AS id, job_json AS job, state_json AS state, runtime_updated_at_ms AS updated FROM cron_jobs',
  /** Older versions do not record when the state of a job changed. */
  olderJobs: 'SELECT job_id AS id, job_json AS job, state_json AS state, NULL AS updated FROM cron_jobs',
  /** Versions differ in the other columns, but the entry contains all of them. */
  runLogs: 'SELECT job_id AS id, entry_json AS entry FROM cron_run_logs',
  taskRuns: `SELECT source_id AS id, label, agent_id AS agent, child_session_key AS "key", status, error, terminal_summary AS summary,
    started_at AS started, ended_at AS ended, detail_json AS entry FROM task_runs WHERE runtime = 'cron'`,
  receipts: `SELECT job_id AS id, agent_id AS agent, status, started_at_ms AS started, finished_at_ms AS ended, error_text AS error
    FROM cron_run_receipts`,
} as const
