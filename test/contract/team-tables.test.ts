import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { sql } from '../../src/store/clickhouse/connection/literal.ts'
import { migrate, schemaStatements } from '../../src/store/clickhouse/migrate.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { FIRST_VERSION, MIGRATION_TABLE, SCHEMA_VERSION, TABLES } from '../../src/store/clickhouse/schema.ts'
import type { TeamAddress } from '../../src/store/team.ts'
import { faultsIn } from '../clickhouse/audit.ts'
import { createTree } from '../clickhouse/kills/tree.ts'
import { put, temporaryHome } from '../records.ts'
import { bringUpToDate } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'
import { answersOf } from './store-answers.ts'

const DEVICES = ['oak', 'elm'] as const

/** A store that two machines have filled with files that change in all ways. */
function filledStore(): TeamAddress {
  const address = emptyServer()
  const machines = DEVICES.map((device, index) => {
    const home = temporaryHome()
    put(join(home, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), `# Garden of ${device}\n`)
    return { device, home, tree: createTree(home, 3 + index) }
  })
  for (let step = 0; step < 4; step++)
    for (const { device, home, tree } of machines) {
      tree.change()
      tree.grow()
      const store = openClickHouseStore({ ...address, device })
      bringUpToDate(store, {
        home: '/nowhere',
        variables: {},
        dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
      })
      store.close()
    }
  return address
}

/** All that is asked of a store, by each of its machines and by a reader. */
function answersAt(address: TeamAddress) {
  const byDevice = DEVICES.map((device) => {
    const store = openClickHouseStore({ ...address, device })
    const answers = answersOf(store)
    store.close()
    return answers
  })
  const reading = openClickHouseStore({ ...address, device: 'nobody', everyone: true })
  const { sessions, statistics, hits, figures } = answersOf(reading)
  reading.close()
  return { byDevice, reader: { sessions, statistics, hits, figures } }
}

const tablesOf = (connection: Connection): unknown[] => [
  connection.select(sql`SELECT name, replaceRegexpAll(create_table_query, ${connection.database}, 'x')
    FROM system.tables WHERE database = ${connection.database} ORDER BY name`),
  connection.select('SELECT version FROM migration FINAL ORDER BY version'),
]

/** A connection whose process is killed after some statements that change something. */
function killedAfter(connection: Connection, statements: number): Connection {
  let left = statements
  const alive = (): void => {
    if (left-- === 0) throw new Error('killed')
  }
  return {
    ...connection,
    run(statement) {
      alive()
      connection.run(statement)
    },
    insert(...rows) {
      alive()
      connection.insert(...rows)
    },
  }
}

const dropTables = (connection: Connection): void => {
  for (const table of ['migration', ...TABLES]) connection.run(`DROP TABLE IF EXISTS ${table}`)
}

describe.runIf(hasServer)('the tables of a store', () => {
  it('are completed if creating them is interrupted after any statement', () => {
    const address = emptyServer()
    const connection = connect(address)
    migrate(connection)
    const wanted = tablesOf(connection)
    dropTables(connection)
    let attempts = 0
    for (let done = false; !done; attempts++)
      try {
        migrate(killedAfter(connection, attempts))
        done = true
      } catch (error) {
        expect(String(error)).toBe('Error: killed')
      }
    expect(attempts).toBeGreaterThan(TABLES.length)
    expect(tablesOf(connection)).toEqual(wanted)
    connection.close()
  })

  it('lose nothing when the printed schema runs, also when it runs again', () => {
    const address = filledStore()
    const connection = connect(address)
    const wanted = answersAt(address)
    for (let times = 0; times < 2; times++) {
      for (const statement of schemaStatements()) connection.run(statement)
      expect(answersAt(address)).toEqual(wanted)
    }
    expect(faultsIn(connection)).toEqual({})
    connection.close()
  })
})

describe.runIf(hasServer)('a store that a version before the first release has made', () => {
  it('is refused with its version, and is not changed', () => {
    const address = emptyServer()
    const connection = connect(address)
    connection.run(MIGRATION_TABLE)
    connection.run('TRUNCATE TABLE migration')
    connection.insert('migration', ['version'], [[FIRST_VERSION - 1]])
    const before = tablesOf(connection)
    expect(() => openClickHouseStore({ ...address, device: 'oak' })).toThrow(
      expect.objectContaining({
        code: 'store-unreadable',
        message: expect.stringContaining(`before its first release (their format is ${FIRST_VERSION - 1})`),
        wayOut: expect.stringContaining('create a database'),
      }),
    )
    expect(tablesOf(connection)).toEqual(before)
    dropTables(connection)
    connection.close()
  })
})

describe.runIf(hasServer)('a store that a newer version of the program has made', () => {
  it('is refused with both versions, and is not changed', () => {
    const address = emptyServer()
    openClickHouseStore({ ...address, device: 'oak' }).close()
    const connection = connect(address)
    connection.insert('migration', ['version'], [[SCHEMA_VERSION + 1]])
    const before = tablesOf(connection)
    expect(() => openClickHouseStore({ ...address, device: 'oak' })).toThrow(
      expect.objectContaining({
        code: 'store-newer',
        message: expect.stringContaining(
          `their format is ${SCHEMA_VERSION + 1}, this one knows ${SCHEMA_VERSION}`,
        ),
        wayOut: 'Update scrollback.',
      }),
    )
    expect(tablesOf(connection)).toEqual(before)
    connection.run(
      `ALTER TABLE migration DELETE WHERE version > ${SCHEMA_VERSION} SETTINGS mutations_sync = 2`,
    )
    connection.close()
  })
})
