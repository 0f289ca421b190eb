/**
 * All statements for subagents in the state database. Its keys and tokens are in other tables, which no
 * statement names.
 */
export const SUBAGENT_STATEMENTS = {
  /** Which of the named tables and columns exist. */
  columns: `SELECT m.name AS name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name IN ('subagent_runs', 'task_runs')`,
  /** Versions differ in the columns of a run, but the record contains all of them. */
  runs: 'SELECT run_id AS id, payload_json AS payload FROM subagent_runs',
  tasks: `SELECT source_id AS id, child_session_key AS child, requester_session_key AS parent, label, task, status, error,
    terminal_summary AS summary, progress_summary AS progress, created_at AS created, started_at AS started, ended_at AS ended
    FROM task_runs WHERE runtime = 'subagent'`,
} as const
