/**
 * All statements for the semantic memory of an agent. Its database may also contain keys and tokens, in
 * tables that no statement names; vectors and their cache are never read. A test checks each statement. Older
 * releases keep a file per agent (`files`, `chunks`); from 2026.6 on the tables are in the agent's database
 * (`memory_index_…`).
 */
export const SEMANTIC_STATEMENTS = {
  /** Which of the named tables and columns exist. */
  columns: `SELECT m.name AS name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name IN ('files', 'chunks', 'chunks_fts',
    'memory_index_sources', 'memory_index_chunks', 'memory_index_chunks_fts')`,

  fileParts: `SELECT source AS kind, model, count(*) AS chunks, max(updated_at) AS updated
    FROM chunks GROUP BY source, model`,
  tableParts: `SELECT source AS kind, model, count(*) AS chunks, max(updated_at) AS updated
    FROM memory_index_chunks GROUP BY source, model`,
  fileSources: 'SELECT path, source AS kind, hash, mtime, size FROM files',
  tableSources: 'SELECT path, source AS kind, hash, mtime, size FROM memory_index_sources',

  /** With the agent's own full-text index, best match first. */
  fileWords: `SELECT path, source AS kind, start_line AS first, end_line AS last, text FROM chunks_fts
    WHERE chunks_fts MATCH ? ORDER BY rank`,
  tableWords: `SELECT path, source AS kind, start_line AS first, end_line AS last, text FROM memory_index_chunks_fts
    WHERE memory_index_chunks_fts MATCH ? ORDER BY rank`,
  /** Without it, newest first. */
  fileTexts: `SELECT path, source AS kind, start_line AS first, end_line AS last, text FROM chunks
    WHERE text LIKE ? ESCAPE '\\' ORDER BY updated_at DESC, path, start_line`,
  tableTexts: `SELECT path, source AS kind, start_line AS first, end_line AS last, text FROM memory_index_chunks
    WHERE text LIKE ? ESCAPE '\\' ORDER BY updated_at DESC, path, start_line`,
} as const
