import type { Connection } from '../eras/connection.ts'
import { SEMANTIC_STATEMENTS } from './statements.ts'

/** The tables of a semantic memory in a database, of either generation. */
interface SemanticTables {
  prefix: 'file' | 'table'
  /** Whether there is a full-text index with the required columns. */
  words: boolean
}

const SOURCES = ['path', 'source', 'hash', 'mtime', 'size']
const POSITION = ['path', 'source', 'start_line', 'end_line', 'text']
const CHUNKS = [...POSITION, 'model', 'updated_at']

/** Undefined if there are none. `strange` if the tables have other columns. */
export function semanticTables({ database }: Connection): SemanticTables | 'strange' | undefined {
  const columns = new Map<string, Set<string>>()
  for (const { name, column } of database.prepare(SEMANTIC_STATEMENTS.columns).all())
    columns.set(String(name), (columns.get(String(name)) ?? new Set()).add(String(column)))
  const has = (table: string, names: readonly string[]): boolean =>
    names.every((name) => columns.get(table)?.has(name))
  if (has('memory_index_sources', SOURCES) && has('memory_index_chunks', CHUNKS))
    return { prefix: 'table', words: has('memory_index_chunks_fts', POSITION) }
  if (has('files', SOURCES) && has('chunks', CHUNKS))
    return { prefix: 'file', words: has('chunks_fts', POSITION) }
  return columns.has('memory_index_chunks') || columns.has('chunks') ? 'strange' : undefined
}
