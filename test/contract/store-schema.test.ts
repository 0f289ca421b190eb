import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Connection, clusterIn, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { identifier, sql } from '../../src/store/clickhouse/connection/literal.ts'
import { localName, migrate, schemaStatements } from '../../src/store/clickhouse/migrate.ts'
import { createMutations, mutationStatements } from '../../src/store/clickhouse/mutations.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { TABLES } from '../../src/store/clickhouse/schema.ts'
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
    expect(created.filter((each) => !/Replicated(?:Replacing|Aggregating)MergeTree\(/.test(each))).toEqual([])
  })
})

/** Every statement about rows that are stored, for every table. */
const mutations = (cluster?: string): string[] => {
  const { delete: remove, erase, merge } = mutationStatements(cluster)
  return TABLES.flatMap((table) => [remove(table, 'a = 1'), erase(table, "b IN ('x')"), merge(table)])
}

/** A connection to a cluster whose tables are not complete, and the statements that reach it. */
function unfinishedCluster(): { connection: Connection; statements: string[] } {
  const statements: string[] = []
  const answerTo = (statement: string): unknown => {
    if (statement.includes('engine_full'))
      return "Distributed('prod', 'team', 'item_local', intHash64(artifact))"
    return statement.includes('max(version)') ? 0 : 1
  }
  const connection = {
    database: 'team',
    insert() {},
    close() {},
    serverVersion: () => '26.7.1.1',
    select: (statement: string) => [[answerTo(statement), '26.7.1.1']] as never,
    run: (statement: string) => void statements.push(statement),
  }
  return { connection, statements }
}

describe('a store on a cluster', () => {
  it('gets its tables on all servers, because distributed tables refuse most changes', () => {
    const { connection, statements } = unfinishedCluster()
    migrate(connection)
    expect(statements).toEqual(schemaStatements('prod'))
  })

  it('has its rows deleted on all servers', () => {
    const { connection, statements } = unfinishedCluster()
    const mutations = createMutations({ connection })
    mutations.delete('item', 'artifact', [5, 6])
    mutations.erase('vocabulary', 'word', ['fern'], "device = 'oak'")
    mutations.merge('share')
    mutations.tryDeleting()
    mutations.delete('usage', 'artifact', [])
    expect(statements).toEqual([
      'DELETE FROM item_local ON CLUSTER `prod` WHERE artifact IN (5, 6) AND 1',
      "ALTER TABLE vocabulary_local ON CLUSTER `prod` DELETE WHERE word IN ('fern') AND device = 'oak' SETTINGS mutations_sync = 2",
      'OPTIMIZE TABLE share ON CLUSTER `prod` FINAL',
      'DELETE FROM item_local ON CLUSTER `prod` WHERE 0',
    ])
  })
})

describe('the statements that change stored rows', () => {
  it('name the tables with the rows of a shard on a cluster, which is named each time', () => {
    for (const statement of mutations('prod'))
      expect(statement).toMatch(/ (?:\w+_local|share|forgotten|retention|member) ON CLUSTER `prod` /)
    expect(mutations().filter((each) => /_local|CLUSTER/.test(each))).toEqual([])
  })

  it('are in one place, because a distributed table refuses all others', () => {
    const folder = join(import.meta.dirname, '../../src/store/clickhouse')
    const own = /(?:schema|mutations)\.ts$/
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !own.test(path))
      .filter((path) =>
        /\b(?:DELETE FROM|ALTER TABLE|OPTIMIZE TABLE|TRUNCATE|SYSTEM [A-Z])/.test(
          readFileSync(join(folder, path), 'utf8'),
        ),
      )
    // `ALTER TABLE` is taken apart there.
    expect(found).toEqual(['migrate.ts'])
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
      for (const name of ['migration', ...TABLES]) connection.run(`DROP TABLE IF EXISTS ${name}`)
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
    expect(printed).toEqual(
      tablesOf((address) => openClickHouseStore({ ...address, device: 'moss' }).close()),
    )
  })

  it('is understood for a cluster', () => {
    const connection = connect(emptyServer())
    for (const statement of schemaStatements('prod')) {
      const [[formatted] = ['']] = connection.select<[string]>(sql`SELECT formatQuery(${statement})`)
      expect(formatted).toMatch(/^(?:CREATE|ALTER|INSERT) .*(?:ON CLUSTER prod|INTO migration)/)
    }
    connection.close()
  })

  it('goes with statements that change stored rows, which are understood', () => {
    const connection = connect(emptyServer())
    for (const statement of [...mutations(), ...mutations("o'hara \\ `co`")]) {
      const [[formatted] = ['']] = connection.select<[string]>(sql`SELECT formatQuery(${statement})`)
      expect(formatted).toMatch(/^(?:DELETE FROM|ALTER TABLE|OPTIMIZE TABLE) /)
      expect(formatted.includes('ON CLUSTER')).toBe(
        statement.includes('_local') || statement.includes('CLUSTER'),
      )
    }
    connection.close()
  })

  it('has names that mean the same to ClickHouse, whatever they contain', () => {
    const connection = connect(emptyServer())
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), (name) => {
        const [[read] = []] = connection.select<[string]>(`DESCRIBE TABLE (SELECT 1 AS ${identifier(name)})`)
        expect(read).toBe(name.toWellFormed())
      }),
      { numRuns: 200, examples: [['`'], ['\\'], ['\\`'], ["'"], ['\0'], ['--'], ['\n'], ['{x:String}']] },
    )
    connection.close()
  })
})
