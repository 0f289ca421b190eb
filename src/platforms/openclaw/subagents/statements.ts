/** Everything that is asked of the state database about subagents. Keys and tokens stand in its other tables, which nothing here names. */
export const SUBAGENT_STATEMENTS = {
  /** The tables and columns there are, of those that are named here. */
  columns: `SELECT m.name AS name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name IN ('subagent_runs', 'task_runs')`,
  /** Since when a run's columns stand beside its record is not the same in all versions; the record holds all of it. */
  runs: 'SELECT run_id AS id, payload_json AS payload FROM subagent_runs',
  tasks: `SELECT source_id AS id, child_session_key AS child, requester_session_key AS parent, label, task, status, error,
    terminal_summary AS summary, progress_summary AS progress, created_at AS created, started_at AS started, ended_at AS ended
    FROM task_runs WHERE runtime = 'subagent'`,
} as const
