import { describe, expect, it } from 'vitest'
import { SEMANTIC_STATEMENTS } from './semantic-statements.ts'

/** Everything of a semantic memory that may be asked; vectors, their cache and keys stand in the others. */
const ALLOWED = new Set([
  ...['sqlite_master', 'pragma_table_info', 'files', 'chunks', 'chunks_fts'],
  ...['memory_index_sources', 'memory_index_chunks', 'memory_index_chunks_fts'],
])

describe('what is asked of a semantic memory', () => {
  it.each(Object.entries(SEMANTIC_STATEMENTS))('names no table but those of chunks: %s', (_, statement) => {
    const behind = [...statement.matchAll(/\b(?:FROM|JOIN)\s+"?(\w+)"?/gi)].map((match) => match[1]!)
    const listed = [...statement.matchAll(/\bIN\s*\(([^)]*)\)/gi)].flatMap((match) =>
      [...match[1]!.matchAll(/'(\w+)'/g)].map((name) => name[1]!),
    )
    expect(behind.length).toBeGreaterThan(0)
    expect([...behind, ...listed].filter((table) => !ALLOWED.has(table))).toEqual([])
    expect(statement).toMatch(/^SELECT\b/)
    expect(statement).not.toMatch(/;|\bATTACH\b|\bPRAGMA\b|\bUNION\b|auth_profile|embedding/i)
    // No column goes unnamed, and no table hides behind a comma.
    expect(statement.replaceAll('count(*)', '')).not.toContain('*')
    expect(statement).not.toMatch(/\bFROM\s+\w+(?:\s+\w+)?\s*,/i)
  })
})
