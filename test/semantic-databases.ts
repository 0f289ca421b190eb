import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { agentDatabase } from './agent-databases.ts'

/**
 * In everything that no query may read: the column of vectors, their cache, and a table that is not known.
 */
export const VECTOR_CANARIES = [
  'canary-of-the-vector-tweet',
  'canary-of-the-cache-tweet',
  'canary-of-the-meta-tweet',
]

const FTS = `text, id UNINDEXED, path UNINDEXED, source UNINDEXED, model UNINDEXED, start_line UNINDEXED,
  end_line UNINDEXED`
const CHUNKS = `path TEXT NOT NULL, source TEXT NOT NULL DEFAULT 'memory', start_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
  hash TEXT NOT NULL, model TEXT NOT NULL, text TEXT NOT NULL`

/** The tables of the older releases, in a separate file. */
const OLD = `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE files (path TEXT PRIMARY KEY, source TEXT NOT NULL DEFAULT 'memory', hash TEXT NOT NULL, mtime INTEGER NOT NULL,
    size INTEGER NOT NULL);
  CREATE TABLE chunks (id TEXT PRIMARY KEY, ${CHUNKS}, embedding TEXT NOT NULL, updated_at INTEGER NOT NULL);
  CREATE TABLE embedding_cache (provider TEXT NOT NULL, model TEXT NOT NULL, provider_key TEXT NOT NULL, hash TEXT NOT NULL,
    embedding TEXT NOT NULL, dims INTEGER, updated_at INTEGER NOT NULL, PRIMARY KEY (provider, model, provider_key, hash));
  CREATE VIRTUAL TABLE chunks_fts USING fts5(${FTS});`

/** The tables of the newer releases, in the agent's database. */
const NEW = `CREATE TABLE memory_index_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE memory_index_sources (id INTEGER PRIMARY KEY, path TEXT NOT NULL, source TEXT NOT NULL DEFAULT 'memory',
    hash TEXT NOT NULL, mtime REAL NOT NULL, size INTEGER NOT NULL, UNIQUE (path, source)) STRICT;
  CREATE TABLE memory_index_chunks (chunk_rowid INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ${CHUNKS},
    embedding BLOB NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE memory_embedding_cache (provider TEXT NOT NULL, model TEXT NOT NULL, provider_key TEXT NOT NULL, hash TEXT NOT NULL,
    embedding BLOB NOT NULL, dims INTEGER, updated_at INTEGER NOT NULL, PRIMARY KEY (provider, model, provider_key, hash)) STRICT;
  CREATE VIRTUAL TABLE memory_index_chunks_fts USING fts5(${FTS});`

const NAMES = {
  old: { sources: 'files', chunks: 'chunks', cache: 'embedding_cache', meta: 'meta' },
  new: {
    sources: 'memory_index_sources',
    chunks: 'memory_index_chunks',
    cache: 'memory_embedding_cache',
    meta: 'memory_index_meta',
  },
}

const UPDATED = Date.UTC(2026, 10, 3, 12)

export type SemanticDatabase = ReturnType<typeof semanticDatabase>

/**
 * The semantic memory of an agent as a release of OpenClaw creates it below a state directory; open until it
 * is closed.
 */
export function semanticDatabase(state: string, generation: 'old' | 'new', agent = 'main') {
  const { path, database } = generation === 'new' ? agentDatabase(state, 23, agent) : alone(state, agent)
  database.exec(generation === 'new' ? NEW : OLD)
  const { sources, chunks, cache, meta } = NAMES[generation]
  const run = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).run(...values)
  const bytes = (text: string): SQLInputValue => (generation === 'new' ? Buffer.from(text) : text)
  const [vector, cached, noted] = VECTOR_CANARIES as [string, string, string]
  run(`INSERT INTO ${meta} VALUES ('memory_index_meta_v1', ?)`, noted)
  run(`INSERT INTO ${cache} VALUES ('p', 'm', 'k', 'h', ?, 3, 1)`, bytes(cached))
  let rows = 0
  return {
    path,
    database,
    source(name: string, hash: string, mtime: number, size: number, kind = 'memory') {
      run(
        `INSERT INTO ${sources} (path, source, hash, mtime, size) VALUES (?, ?, ?, ?, ?)`,
        ...[name, kind, hash, mtime, size],
      )
    },
    chunk(name: string, lines: [number, number], text: string, { model = 'embed-3', kind = 'memory' } = {}) {
      const id = `chunk ${++rows}`
      run(
        `INSERT INTO ${chunks} (id, path, source, start_line, end_line, hash, model, text, embedding, updated_at)
          VALUES (?, ?, ?, ?, ?, 'h', ?, ?, ?, ?)`,
        ...[id, name, kind, ...lines, model, text, bytes(vector), UPDATED + rows],
      )
      run(
        `INSERT INTO ${chunks}_fts (text, id, path, source, model, start_line, end_line) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[text, id, name, kind, model, ...lines],
      )
    },
    close: () => database.close(),
  }
}

function alone(state: string, agent: string): { path: string; database: DatabaseSync } {
  const path = join(state, 'memory', `${agent}.sqlite`)
  mkdirSync(dirname(path), { recursive: true })
  // The schema changes if a test removes a tokenizer.
  return { path, database: new DatabaseSync(path, { defensive: false } as object) }
}
