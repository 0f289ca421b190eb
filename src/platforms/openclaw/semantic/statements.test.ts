import { describe, expect, it } from 'vitest'
import { SEMANTIC_STATEMENTS } from './statements.ts'

/** The tables of a semantic memory that may be read. Vectors, their cache and keys are in the others. */
const ALLOWED = new Set([
  ...['sqlite_master', 'pragma_table_info', 'files', 'chunks', 'chunks_fts'],
  ...['memory_index_sources', 'memory_index_chunks', 'memory_index_chunks_fts'],
])

describe('the queries of a semantic memory', () => {
  it.each(Object.entries(SEMANTIC_STATEMENTS))('name only the tables of chunks: %s', (_, statement) => {
    const tables = [...statement.matchAll(/\b(?:FROM|JOIN)\s+"?(\w+)"?/gi)].map((match) => match[1]!)
    const listed = [...statement.matchAll(/\bIN\s*\(([^)]*)\)/gi)].flatMap((match) =>
      [...match[1]!.matchAll(/'(\w+)'/g)].map((name) => name[1]!),
    )
    expect(tables.length).toBeGreaterThan(0)
    expect([...tables, ...listed].filter((table) => !ALLOWED.has(table))).toEqual([])
    expect(statement).toMatch(/^SELECT\b/)
    expect(statement).not.toMatch(/;|\bATTACH\b|\bPRAGMA\b|\bUNION\b|auth_profile|embedding/i)
    // Every column is named, and no table is hidden after a comma.
    expect(statement.replaceAll('count(*)', '')).not.toContain('*')
    expect(statement).not.toMatch(/\bFROM\s+\w+(?:\s+\w+)?\s*,/i)
  })
})
