import { columnsOf } from '../database-statements.ts'
import { ENTRY_FIELDS } from './session-index.ts'

/** Upper limit of a record number, in case the column contains something else. */
const MOST = 1_000_000_000_000
const numberOf = (value: string): string => `max(0, min(${value}, ${MOST}))`
/** Casts a time column to a number, in case it contains something else. */
const timeOf = (column: string): string => `CAST(${column} AS REAL)`
const lastOf = (table: 'w' | 's'): string =>
  `(SELECT ${numberOf('max(seq)')} FROM transcript_events e WHERE e.session_id = ${table}.session_id)`

/** Selects texts as bytes, so that they are read like a file. */
const events = (packed: string, range: string): string =>
  `SELECT ${numberOf('seq')} AS number, CAST(event_json AS BLOB) AS text, ${packed} AS packed FROM transcript_events
    WHERE session_id = ? AND seq ${range}`
const FRAME = 'CAST(event_zstd AS BLOB)'

/** Selects named facts from an entry, which also contains whole prompts. */
const facts = (table: 'n' | 'x'): string =>
  `iif(json_valid(${table}.entry_json), json_extract(${table}.entry_json, ${ENTRY_FIELDS.map((name) => `'$.${name}'`).join(', ')}), NULL)`

const sessions = (facts: string, join: string): string =>
  `SELECT s.session_id AS id, s.session_key AS "key", ${timeOf('s.created_at')} AS created, ${timeOf('s.updated_at')} AS updated,
    NULL AS parent, NULL AS spawner, s.display_name AS display,
    s.chat_type AS chat, s.channel AS channel, s.account_id AS account, s.model AS model, s.status AS status,
    ${facts} AS facts, r.session_id AS current,
    NULL AS label, NULL AS shown, NULL AS archived,
    ${lastOf('s')} AS last
    FROM sessions s LEFT JOIN session_routes r ON r.session_key = s.session_key ${join}`

/**
 * All statements for OpenClaw's agent databases. Their keys and tokens are in other tables, which no
 * statement names; a test checks each statement. Schemas: 4 (2026.7.2-beta), 14 to 22 (2026.8.1 to 9.2), 23
 * and newer (2026.9.6).
 */
export const STATEMENTS = {
  columns: columnsOf(`sessions session_routes session_entries session_windows session_nodes transcript_events
    transcript_rewrite_watermarks session_transcript_archives session_transcript_cold_archives
    session_pending_inputs`),
  /** One row per session, from schema 14 on. */
  windows: `SELECT w.session_id AS id, w.session_key AS "key", ${timeOf('w.created_at')} AS created, ${timeOf('w.updated_at')} AS updated,
    w.parent_session_key AS parent, w.spawned_by AS spawner, w.display_name AS display,
    w.chat_type AS chat, w.channel AS channel, w.account_id AS account, w.model AS model, w.status AS status,
    CASE WHEN n.current_session_id = w.session_id THEN ${facts('n')} END AS facts,
    n.current_session_id AS current, n.label AS label, n.display_name AS shown, ${timeOf('n.archived_at')} AS archived,
    ${lastOf('w')} AS last
    FROM session_windows w LEFT JOIN session_nodes n ON n.session_key = w.session_key`,
  /** The same for schema 4, whose first betas had no entries. */
  sessions: sessions(
    facts('x'),
    'LEFT JOIN session_entries x ON x.session_key = s.session_key AND x.session_id = s.session_id',
  ),
  sessionsAlone: sessions('NULL', ''),
  /** Changes when records of a session are rewritten. */
  watermarks: 'SELECT session_id AS id, generation FROM transcript_rewrite_watermarks',

  last: `SELECT ${numberOf('max(seq)')} AS last FROM transcript_events WHERE session_id = ?`,
  events: events(FRAME, '>= ? ORDER BY seq'),
  eventsBelow: events(FRAME, '< ? ORDER BY seq DESC'),
  /** Before schema 23 records are not compressed. */
  plainEvents: events('NULL', '>= ? ORDER BY seq'),
  plainEventsBelow: events('NULL', '< ? ORDER BY seq DESC'),

  /** Prompts that were accepted but are not in the transcript yet. */
  pending: `SELECT message_json AS message, ${timeOf('accepted_at')} AS accepted FROM session_pending_inputs
    WHERE session_id = ? AND state <> 'cancelled' AND consumed_event_id IS NULL ORDER BY seq`,
  allPending: `SELECT seq, session_id AS id, message_json AS message, ${timeOf('accepted_at')} AS accepted
    FROM session_pending_inputs WHERE state <> 'cancelled' AND consumed_event_id IS NULL ORDER BY seq`,
  pendingSessions: `SELECT session_id AS id, ${timeOf('max(accepted_at)')} AS accepted, count(seq) AS count FROM session_pending_inputs
    WHERE state <> 'cancelled' AND consumed_event_id IS NULL GROUP BY session_id`,

  /** Transcripts of sessions that were reset or deleted. */
  archives: `SELECT session_id AS id, session_key AS "key", reason, archive_name AS name, ${timeOf('created_at')} AS created,
    length(archive_blob) AS bytes FROM session_transcript_archives`,
  archive: 'SELECT encoding, archive_blob AS packed FROM session_transcript_archives WHERE archive_name = ?',
  /** Sessions whose records are in cold storage. */
  coldArchives: `SELECT session_id AS id, ${numberOf('last_seq')} AS last FROM session_transcript_cold_archives`,
  coldArchive: `SELECT archive_name AS name, archive_blob AS packed FROM session_transcript_cold_archives
    WHERE session_id = ?`,
} as const

/**
 * All statements for cron jobs in OpenClaw's state database. Its keys and tokens of devices and servers are
 * in other tables, which no statement names; a test checks each statement. Runs are in `cron_run_logs`
 * (2026.6.1 to 8.x) and later in `task_runs`, with a receipt for each.
 */
export const CRON_STATEMENTS = {
  columns: columnsOf('cron_jobs cron_run_logs task_runs cron_run_receipts'),
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

const ofMemory = (sources: string, chunks: string) => {
  const columns = 'path, source AS kind, start_line AS first, end_line AS last, text'
  return {
    parts: `SELECT source AS kind, model, count(*) AS chunks, max(updated_at) AS updated
      FROM ${chunks} GROUP BY source, model`,
    sources: `SELECT path, source AS kind, hash, mtime, size FROM ${sources}`,
    /** With the agent's own full-text index, best match first. */
    words: `SELECT ${columns} FROM ${chunks}_fts WHERE ${chunks}_fts MATCH ? ORDER BY rank`,
    /** Without it, newest first. */
    texts: `SELECT ${columns} FROM ${chunks}
      WHERE text LIKE ? ESCAPE '\\' ORDER BY updated_at DESC, path, start_line`,
  }
}

/**
 * All statements for the semantic memory of an agent. Its database may also contain keys and tokens, in
 * tables that no statement names; vectors and their cache are never read. A test checks each statement. Older
 * releases keep a file per agent (`files`, `chunks`); from 2026.6 on the tables are in the agent's database
 * (`memory_index_…`).
 */
export const SEMANTIC_STATEMENTS = {
  columns: columnsOf(
    `files chunks chunks_fts memory_index_sources memory_index_chunks memory_index_chunks_fts`,
  ),
  file: ofMemory('files', 'chunks'),
  table: ofMemory('memory_index_sources', 'memory_index_chunks'),
} as const

/**
 * All statements for subagents in the state database. Its keys and tokens are in other tables, which no
 * statement names.
 */
export const SUBAGENT_STATEMENTS = {
  columns: columnsOf('subagent_runs task_runs'),
  /** Versions differ in the columns of a run, but the record contains all of them. */
  runs: 'SELECT run_id AS id, payload_json AS payload FROM subagent_runs',
  tasks: `SELECT source_id AS id, child_session_key AS child, requester_session_key AS parent, label, task, status, error,
    terminal_summary AS summary, progress_summary AS progress, created_at AS created, started_at AS started, ended_at AS ended
    FROM task_runs WHERE runtime = 'subagent'`,
} as const
