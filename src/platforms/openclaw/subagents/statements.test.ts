import { expect, it } from 'vitest'
import { SUBAGENT_STATEMENTS } from './statements.ts'

it.each(Object.entries(SUBAGENT_STATEMENTS))(
  'the queries of subagents name their columns and no table of keys: %s',
  (_, statement) => {
    expect(statement).toMatch(/^SELECT\b/)
    expect(statement).not.toMatch(/;|\*|\bATTACH\b|\bPRAGMA\b|\bUNION\b/i)
    const tables = [...statement.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/gi)].map((match) => match[1])
    const listed = [...statement.matchAll(/\bIN \(([^)]*)\)/g)].flatMap((match) => match[1]!.split(', '))
    for (const table of [...tables, ...listed.map((name) => name.slice(1, -1))])
      expect(['sqlite_master', 'pragma_table_info', 'subagent_runs', 'task_runs']).toContain(table)
  },
)
