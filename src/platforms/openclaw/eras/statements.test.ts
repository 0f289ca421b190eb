import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STATEMENTS } from './statements.ts'

/** The tables of an agent's database that may be read. Keys and tokens are in the others. */
const ALLOWED = new Set([
  ...[
    'sqlite_master',
    'pragma_table_info',
    'sessions',
    'session_routes',
    'session_entries',
    'session_nodes',
    'session_windows',
  ],
  ...['transcript_events', 'transcript_rewrite_watermarks', 'session_pending_inputs'],
  ...['session_transcript_archives', 'session_transcript_cold_archives'],
])

/** Tables after FROM and JOIN, and names in lists of tables. */
function tablesIn(statement: string): string[] {
  const tables = [...statement.matchAll(/\b(?:FROM|JOIN)\s+"?(\w+)"?/gi)].map((match) => match[1]!)
  const lists = [...statement.matchAll(/\bIN\s*\(([^)]*)\)/gi)].flatMap((match) =>
    [...match[1]!.matchAll(/'(\w+)'/g)].map((name) => name[1]!),
  )
  return [...tables, ...lists]
}

/** Our own databases contain no keys. */
const isOurs = (name: string): boolean => name.startsWith('store/') || name.startsWith('collect/delivery/')

describe('the queries of a database that also contains keys', () => {
  it.each(Object.entries(STATEMENTS))('name only the tables of transcripts: %s', (name, statement) => {
    if (name === 'begin' || name === 'end') expect(statement).toMatch(/^(?:BEGIN|COMMIT)$/)
    else {
      const tables = tablesIn(statement)
      expect(tables.length).toBeGreaterThan(0)
      expect(tables.filter((table) => !ALLOWED.has(table))).toEqual([])
      // One statement that only reads and names its columns.
      expect(statement).toMatch(/^SELECT\b/)
      expect(statement).not.toMatch(/;|\*|\bATTACH\b|\bPRAGMA\b|\bUNION\b|auth_profile/i)
      // No table is hidden after a comma.
      expect(statement).not.toMatch(/\bFROM\s+\w+(?:\s+\w+)?\s*,/i)
    }
  })

  const top = join(import.meta.dirname, '../../..')
  const sources = readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(top, name), 'utf8') }))

  it('run only where databases are opened', () => {
    const opening = sources.filter(({ text }) => /\bopenReadOnly\b|node:sqlite'/.test(text))
    expect(opening.map(({ name }) => name).filter((name) => !isOurs(name))).toEqual(
      expect.not.arrayContaining([
        expect.stringMatching(
          /^(?!io\/sqlite\.ts|platforms\/openclaw\/(?:(?:eras|cron|subagents)\/|table-rows))/,
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
        /^(?:packed \? )?(?:CRON_|SEMANTIC_|SUBAGENT_)?STATEMENTS(?:\.\w|\[)|^statement\)/,
      )
  })
})
