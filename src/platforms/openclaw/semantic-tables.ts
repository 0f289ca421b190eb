import type { Connection } from './eras/connection.ts'
import { SEMANTIC_STATEMENTS } from './semantic-statements.ts'

/** Where a semantic memory stands in a database: by its tables, of either generation. */
export interface SemanticTables {
  prefix: 'file' | 'table'
  /** Whether there is an index of words with the columns that are asked for. */
  words: boolean
}

const SOURCES = ['path', 'source', 'hash', 'mtime', 'size']
const PLACES = ['path', 'source', 'start_line', 'end_line', 'text']
const CHUNKS = [...PLACES, 'model', 'updated_at']

/** Undefined where there is none; `strange` where tables of these names have other columns. */
export function semanticTables({ database }: Connection): SemanticTables | 'strange' | undefined {
  const columns = new Map<string, Set<string>>()
  for (const { name, column } of database.prepare(SEMANTIC_STATEMENTS.columns).all())
    columns.set(String(name), (columns.get(String(name)) ?? new Set()).add(String(column)))
  const has = (table: string, names: readonly string[]): boolean =>
    names.every((name) => columns.get(table)?.has(name))
  if (has('memory_index_sources', SOURCES) && has('memory_index_chunks', CHUNKS))
    return { prefix: 'table', words: has('memory_index_chunks_fts', PLACES) }
  if (has('files', SOURCES) && has('chunks', CHUNKS))
    return { prefix: 'file', words: has('chunks_fts', PLACES) }
  return columns.has('memory_index_chunks') || columns.has('chunks') ? 'strange' : undefined
}
