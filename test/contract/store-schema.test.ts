import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { upgradeSpace } from '../../src/store/clickhouse/administration.ts'
import { type Connection, clusterIn, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { identifier, sql } from '../../src/store/clickhouse/connection/literal.ts'
import { localName, schemaStatements, upgradeOf } from '../../src/store/clickhouse/migrate.ts'
import { TABLES } from '../../src/store/clickhouse/schema.ts'
import { anyCharacter } from '../any-character.ts'
import { emptyServer, hasServer } from './engines.ts'

describe('the statements of the schema for a cluster', () => {
  const statements = schemaStatements('prod')

  it('put a distributed table in front of every table with rows of devices', () => {
    for (const table of TABLES.filter((name) => localName(name) !== name)) {
      expect(statements.filter((each) => each.includes(`TABLE IF NOT EXISTS ${table}_local `))).toHaveLength(
        1,
      )
      expect(statements.filter((each) => each.startsWith(`CREATE OR REPLACE TABLE ${table} `))).toHaveLength(
        1,
      )
    }
  })

  it('replicate each table that has rows, and name the cluster each time', () => {
    const [noted, ...others] = statements.toReversed()
    expect(noted).toMatch(/^INSERT INTO migration /)
    expect(others.filter((each) => !each.includes('ON CLUSTER `prod`'))).toEqual([])
    const created = others.filter((each) => each.startsWith('CREATE TABLE'))
    expect(created.filter((each) => !/Replicated(?:Replacing|Aggregating)?MergeTree\(/.test(each))).toEqual(
      [],
    )
  })
})

describe('a space on a cluster', () => {
  it('gets its tables on all servers, because distributed tables refuse most changes', () => {
    const answerTo = (statement: string): unknown =>
      statement.includes('engine_full')
        ? "Distributed('prod', 'team', 'item_local', intHash64(artifact))"
        : statement.includes('max(version)')
          ? 0
          : 1
    const connection: Connection = {
      database: 'team',
      insert: () => 0,
      close() {},
      serverVersion: () => '26.7.1.1',
      select: (statement: string) => [[answerTo(statement), '26.7.1.1']] as never,
      run() {},
    }
    expect(upgradeOf(connection).statements).toEqual(schemaStatements('prod'))
  })

  it.each([
    ["Distributed('prod', 'team', 'item_local', intHash64(artifact))", 'prod'],
    [String.raw`Distributed('o\'hara \\ co', 'team', 'item_local')`, String.raw`o'hara \ co`],
    ['ReplacingMergeTree(version, deleted) ORDER BY id', undefined],
  ])('are for the cluster in %s', (engine, cluster) => {
    expect(clusterIn(engine)).toBe(cluster)
  })
})

describe.runIf(hasServer)('the printed schema, according to ClickHouse', () => {
  it('creates the tables that the program creates, also when it runs twice', () => {
    const tablesOf = (create: (address: ReturnType<typeof emptyServer>) => void): unknown[] => {
      const address = emptyServer()
      const connection = connect(address)
      for (const name of ['machines', 'migration', ...TABLES]) connection.run(`DROP TABLE IF EXISTS ${name}`)
      create(address)
      const tables = connection.select(sql`SELECT name, engine_full FROM system.tables
        WHERE database = ${address.database} ORDER BY name`)
      const columns = connection.select(sql`SELECT table, name, type, default_kind, default_expression
        FROM system.columns WHERE database = ${address.database} ORDER BY table, position`)
      const versions = connection.select('SELECT max(version) FROM migration')
      connection.close()
      return [tables, columns, versions]
    }
    const printed = tablesOf((address) => {
      const connection = connect(address)
      for (let times = 0; times < 2; times++)
        for (const statement of schemaStatements()) connection.run(statement)
      connection.close()
    })
    expect(printed).toEqual(tablesOf((address) => void upgradeSpace(address, false)))
  })

  it('is understood for a cluster', () => {
    const connection = connect(emptyServer())
    for (const statement of schemaStatements('prod')) {
      const [[formatted] = ['']] = connection.select<[string]>(sql`SELECT formatQuery(${statement})`)
      expect(formatted).toMatch(/^(?:CREATE|ALTER|INSERT) .*(?:ON CLUSTER prod|INTO migration)/)
    }
    connection.close()
  })

  it('has names that mean the same to ClickHouse, whatever they contain', () => {
    const connection = connect(emptyServer())
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }), (name) => {
        const [[read] = []] = connection.select<[string]>(`DESCRIBE TABLE (SELECT 1 AS ${identifier(name)})`)
        expect(read).toBe(name.toWellFormed())
      }),
      { numRuns: 200, examples: [['`'], ['\\'], ['\\`'], ["'"], ['\0'], ['--'], ['\n'], ['{x:String}']] },
    )
    connection.close()
  })
})
