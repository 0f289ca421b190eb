import { describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { sql } from '../../src/store/clickhouse/connection/literal.ts'
import { schemaStatements, upgradeOf } from '../../src/store/clickhouse/migrate.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { FIRST_FORMAT, FORMAT, TABLES } from '../../src/store/clickhouse/schema.ts'
import { emptyServer, hasServer } from './engines.ts'
import { answersOf } from './store-answers.ts'
import { CHOSEN, team } from './team.ts'

const tablesOf = (connection: Connection): unknown[] => [
  connection.select(sql`SELECT name, replaceRegexpAll(create_table_query, ${connection.database}, 'x')
    FROM system.tables WHERE database = ${connection.database} ORDER BY name`),
  connection.select('SELECT version FROM migration FINAL ORDER BY version'),
]

const dropTables = (connection: Connection): void => {
  for (const table of ['machines', 'migration', ...TABLES]) connection.run(`DROP TABLE IF EXISTS ${table}`)
}

describe.runIf(hasServer)('the tables of a space', () => {
  it('are completed if creating them is interrupted after any statement', () => {
    const connection = connect(emptyServer())
    const wanted = tablesOf(connection)
    dropTables(connection)
    const { statements } = upgradeOf(connection)
    expect(statements.length).toBeGreaterThan(TABLES.length)
    for (const last of statements.keys()) {
      for (const statement of statements.slice(0, last + 1)) connection.run(statement)
      for (const statement of upgradeOf(connection).statements) connection.run(statement)
      expect(tablesOf(connection)).toEqual(wanted)
      if (last % 4 === 0) dropTables(connection)
    }
    connection.close()
  })

  it('lose nothing when the printed schema runs, also when it runs again', () => {
    const { server } = team()
    const connection = connect(server)
    const answers = () => {
      const store = openClickHouseStore({ ...server, device: 'nobody' })
      const { sessions, statistics, hits, figures } = answersOf(store)
      store.close()
      return { sessions, statistics: { ...statistics, storeBytes: 0 }, hits, figures }
    }
    const wanted = answers()
    for (let times = 0; times < 2; times++) {
      for (const statement of schemaStatements()) connection.run(statement)
      expect(answers()).toEqual(wanted)
    }
    connection.close()
  })

  it('are made when an administrator asks for it, and never by opening the space', () => {
    const { server, ask } = team()
    const connection = connect(server)
    dropTables(connection)
    const refused = ask('sessions', '--all')
    expect(refused).toMatchObject({ stdout: '', code: 1 })
    expect(refused.stderr).toContain('scrollback store upgrade')
    expect(connection.select('SHOW TABLES')).toEqual([])
    const dry = ask('store', 'upgrade', '--dry-run')
    expect(dry.stdout).toContain('CREATE TABLE IF NOT EXISTS item')
    expect(dry.stdout).toContain('Nothing was changed')
    expect(connection.select('SHOW TABLES')).toEqual([])
    expect(ask('store', 'upgrade').stdout).toBe(`Created the tables of format ${FORMAT}.\n`)
    expect(ask('store', 'upgrade').stdout).toContain(`has the format ${FORMAT} already`)
    connection.close()
  })

  it('answer searches by their texts where their index of tokens is not, as on a cluster', () => {
    const { server, ask } = team()
    const connection = connect(server)
    const queries = [
      'fern',
      'edg',
      'hed*',
      '"the hedge"',
      'the_hedge',
      'hedge OR fern',
      'hedge -fern',
      'zinnia',
    ]
    const answers = (): string[] =>
      queries.map((query) => {
        const { hits } = JSON.parse(ask('search', query, '--json').stdout) as { hits: { text: string }[] }
        return hits.map(({ text }) => text).join(', ')
      })
    const wanted = answers()
    expect(wanted.slice(0, 3)).toEqual(['Water the fern', 'Cut the hedge', 'Cut the hedge'])
    connection.run('ALTER TABLE item DROP INDEX item_tokens')
    expect(answers()).toEqual(wanted)
    connection.close()
  })

  it('of an earlier or later format say what to do, and a later one still takes what machines send', () => {
    const { server, ask, at } = team()
    const connection = connect(server)
    // What a later version would do: a column with a default, and what it means.
    connection.run("ALTER TABLE item ADD COLUMN mood LowCardinality(String) DEFAULT 'calm'")
    connection.run(`INSERT INTO migration (version, adds) VALUES (${FORMAT + 1}, 'the moods of messages')`)
    const { stdout, stderr, code } = ask('search', 'fern')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Water the fern') })
    expect(stderr).toContain('does not show: the moods of messages')
    expect(ask('store', 'upgrade').stderr).toContain('newer version')
    expect(ask('collect', at, ...CHOSEN).code).toBe(2)
    connection.run('TRUNCATE TABLE migration')
    connection.run(`INSERT INTO migration (version) VALUES (${FIRST_FORMAT - 1})`)
    expect(ask('sessions', '--all').stderr).toContain('store upgrade')
    expect(ask('store', 'upgrade').stderr).toContain('before its first release')
    connection.close()
  })
})
