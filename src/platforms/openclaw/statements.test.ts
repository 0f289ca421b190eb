import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONNECTION_STATEMENTS, SCHEMA_STATEMENTS } from '../database-statements.ts'
import { CRON_STATEMENTS, SEMANTIC_STATEMENTS, STATEMENTS, SUBAGENT_STATEMENTS } from './statements.ts'

/** The statements of each kind of database, with the tables that they may name. Others contain keys. */
const SETS: [kind: string, statements: Readonly<Record<string, string | object>>, tables: string[]][] = [
  [
    'transcripts',
    STATEMENTS,
    [
      'sessions',
      'session_routes',
      'session_entries',
      'session_nodes',
      'session_windows',
      'transcript_events',
      'transcript_rewrite_watermarks',
      'session_pending_inputs',
      'session_transcript_archives',
      'session_transcript_cold_archives',
    ],
  ],
  ['jobs', CRON_STATEMENTS, ['cron_jobs', 'cron_run_logs', 'task_runs', 'cron_run_receipts']],
  // Vectors and their cache are not read.
  [
    'a semantic memory',
    SEMANTIC_STATEMENTS,
    [
      'files',
      'chunks',
      'chunks_fts',
      'memory_index_sources',
      'memory_index_chunks',
      'memory_index_chunks_fts',
    ],
  ],
  ['subagents', SUBAGENT_STATEMENTS, ['subagent_runs', 'task_runs']],
]
const EVERY = SETS.flatMap(([kind, statements, tables]) =>
  Object.entries(statements)
    .flatMap(([name, found]) => (typeof found === 'string' ? [[name, found]] : Object.entries(found)))
    .map(([name, statement]) => ({ kind, name, statement: String(statement), tables })),
)

/** Tables after FROM and JOIN, and names in lists of tables. */
function tablesIn(statement: string): string[] {
  const tables = [...statement.matchAll(/\b(?:FROM|JOIN)\s+"?(\w+)"?/gi)].map((match) => match[1]!)
  const lists = [...statement.matchAll(/\bIN\s*\(([^)]*)\)/gi)].flatMap((match) =>
    [...match[1]!.matchAll(/'(\w+)'/g)].map((name) => name[1]!),
  )
  return [...tables, ...lists]
}

/** Our own databases contain no keys. */
const isOurs = (name: string): boolean =>
  name.startsWith('store/') ||
  name.startsWith('deliver/delivery/') ||
  // Paths in named columns of other clients, by `move`: `test/e2e/move.test.ts`.
  name === 'io/agent-folder/database-statements.ts'

describe('the queries of a database that also contains keys', () => {
  it.each(EVERY)('name only the tables of $kind: $name', ({ statement, tables }) => {
    const named = tablesIn(statement)
    expect(named.length).toBeGreaterThan(0)
    const allowed = ['sqlite_master', 'pragma_table_info', ...tables]
    expect(named.filter((table) => !allowed.includes(table))).toEqual([])
    // One statement that only reads and names its columns.
    expect(statement).toMatch(/^SELECT\b/)
    expect(statement.replaceAll('count(*)', '')).not.toContain('*')
    expect(statement).not.toMatch(/;|\bATTACH\b|\bPRAGMA\b|\bUNION\b|auth_profile|embedding/i)
    // No table is hidden after a comma.
    expect(statement).not.toMatch(/\bFROM\s+\w+(?:\s+\w+)?\s*,/i)
  })

  it('are preceded by questions for names and the number of the schema alone', () => {
    const named = Object.values(SCHEMA_STATEMENTS).flatMap(tablesIn)
    expect(named).toEqual(['sqlite_master', 'pragma_user_version'])
  })

  it('are preceded and followed by nothing but the bounds of a snapshot', () => {
    expect(Object.values(CONNECTION_STATEMENTS)).toEqual(['BEGIN', 'COMMIT'])
  })

  const top = join(import.meta.dirname, '../..')
  const sources = readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(top, name), 'utf8') }))

  it('run only where databases are opened', () => {
    const opening = sources.filter(({ text }) => /\bopenReadOnly\b|node:sqlite'/.test(text))
    expect(opening.map(({ name }) => name).filter((name) => !isOurs(name))).toEqual(
      expect.not.arrayContaining([
        expect.stringMatching(
          /^(?!io\/sqlite\.ts|platforms\/(?:database-connections|openclaw\/(?:database|cron|delivery|subagents)|opencode\/database))/,
        ),
      ]),
    )
  })

  it('are only written in the list of statements', () => {
    const asked = sources
      .filter(({ name }) => !isOurs(name))
      .flatMap(({ text }) => [
        ...text.matchAll(/\.prepare\(\s*(.*)/g),
        ...text.matchAll(/\b(?:database|db)\.exec\(\s*(.*)/g),
      ])
      .map((match) => match[1]!)
    expect(asked.length).toBeGreaterThan(5)
    for (const argument of asked)
      expect(argument).toMatch(
        /^(?:packed \? )?(?:CRON_|SEMANTIC_|SUBAGENT_|CONNECTION_|SCHEMA_)?STATEMENTS(?:\.\w|\[)|^statement\)/,
      )
  })
})
