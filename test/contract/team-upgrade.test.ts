import { hash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../src/store/clickhouse/connection/connection.ts'
import { raw, sql } from '../../src/store/clickhouse/connection/literal.ts'
import type { ServerAddress } from '../../src/store/clickhouse/connection/protocol.ts'
import { migrate } from '../../src/store/clickhouse/migrate.ts'
import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { MIGRATION_TABLE, MIGRATIONS, SCHEMA_VERSION, TABLES } from '../../src/store/clickhouse/schema.ts'
import { schemaStatements } from '../../src/store/clickhouse/schema-statements.ts'
import { faultsIn } from '../clickhouse/audit.ts'
import { createTree } from '../clickhouse/kills/tree.ts'
import { put, temporaryHome } from '../records.ts'
import { bringUpToDate } from '../store-audit.ts'
import { emptyServer, hasServer } from './engines.ts'
import { answersOf } from './store-answers.ts'

const DEVICES = ['oak', 'elm'] as const
const BUILT_IN = "('MATERIALIZED', 'ALIAS', 'EPHEMERAL')"

/**
 * A store that two machines have filled with files that change in all ways, and what continues to fill it.
 */
function filledStore() {
  const address = emptyServer()
  const machines = DEVICES.map((device, index) => {
    const home = temporaryHome()
    put(join(home, '.claude/projects/-home-ann-garden/memory/MEMORY.md'), `# Garden of ${device}\n`)
    return { device, home, tree: createTree(home, 3 + index) }
  })
  const update = (to: ServerAddress): void => {
    for (const { device, home } of machines) {
      const store = openClickHouseStore({ ...to, device })
      bringUpToDate(store, {
        ...{ home: '/nowhere', variables: {} },
        dirs: { 'claude-code': [join(home, '.claude')], openclaw: [join(home, '.openclaw')] },
      })
      store.close()
    }
  }
  const change = (): void => {
    for (const { tree } of machines) {
      tree.change()
      tree.grow()
    }
  }
  for (let step = 0; step < 4; step++) {
    change()
    update(address)
  }
  return { address, change, update }
}

/** The tables of an earlier version, with the rows of a store in the columns that there were. */
function olderCopy(of: ServerAddress, version: number): ServerAddress {
  const address = emptyServer()
  const connection = connect(address)
  for (const table of ['migration', ...TABLES]) connection.run(`DROP TABLE IF EXISTS ${table}`)
  connection.run(MIGRATION_TABLE)
  for (const [index, step] of MIGRATIONS.slice(0, version).entries()) {
    for (const statement of step) connection.run(statement)
    connection.insert('migration', ['version'], [[index + 1]])
  }
  for (const [table, columns] of connection.select<[string, string]>(sql`SELECT table,
      arrayStringConcat(groupArray(name), ', ') FROM system.columns
      WHERE database = ${address.database} AND default_kind NOT IN ${raw(BUILT_IN)} AND table <> 'migration'
      GROUP BY table`))
    connection.run(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${of.database}.${table}`)
  connection.close()
  return address
}

/** All that is asked of a store, by each of its machines and by a reader. */
function answersAt(address: ServerAddress) {
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

describe('the steps to the tables of today', () => {
  it('never change, because stores have been upgraded with them', () => {
    const hashes = MIGRATIONS.map((step) => hash('sha256', JSON.stringify(step), 'hex').slice(0, 16))
    expect(hashes).toMatchInlineSnapshot(`
      [
        "c92a161619640fc9",
        "cdef47d3cfd68222",
        "f719292cee569105",
        "7cf5c9c7722ba690",
        "0c9fd09b0bf5a6f1",
        "0806ac3764854772",
      ]
    `)
  })
})

describe.runIf(hasServer)('a filled store with the tables of an earlier version', () => {
  let made: { address: ServerAddress; wanted: ReturnType<typeof answersAt> } | undefined
  /** The store of today from which earlier ones are made, and what it answers. */
  const today = () => {
    if (made === undefined) {
      const { address } = filledStore()
      made = { address, wanted: answersAt(address) }
    }
    return made
  }
  const earlier = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1)

  it.each(earlier)('gives every answer after it is opened, and opened again: version %i', (version) => {
    const { address: latest, wanted } = today()
    const address = olderCopy(latest, version)
    // Each of its stores opens it again.
    expect(answersAt(address)).toEqual(wanted)
    const [connection, other] = [connect(address), connect(latest)]
    expect(faultsIn(connection)).toEqual({})
    expect(tablesOf(connection)).toEqual(tablesOf(other))
    for (const each of [connection, other]) each.close()
  })

  it('continues an upgrade that is killed after any of its statements', () => {
    const { address: latest, wanted } = today()
    const address = olderCopy(latest, 1)
    const connection = connect(address)
    let attempts = 0
    for (let done = false; !done; attempts++)
      try {
        migrate(killedAfter(connection, attempts))
        done = true
      } catch (error) {
        expect(String(error)).toBe('Error: killed')
      }
    expect(attempts).toBeGreaterThan(30)
    expect(answersAt(address)).toEqual(wanted)
    expect(faultsIn(connection)).toEqual({})
    connection.close()
  })

  it('loses nothing when the printed schema runs, also when it runs again', () => {
    const { address: latest, wanted } = today()
    const address = olderCopy(latest, 4)
    const connection = connect(address)
    const accounts = () =>
      connection.select('SELECT account, count() FROM item GROUP BY account ORDER BY account')
    const before = accounts()
    expect(before).toEqual([[connection.select('SELECT currentUser()')[0]![0], expect.any(Number)]])
    for (let times = 0; times < 2; times++) {
      for (const statement of schemaStatements()) connection.run(statement)
      expect(accounts()).toEqual(before)
      expect(answersAt(address)).toEqual(wanted)
    }
    connection.close()
  })
})

describe.runIf(hasServer)('machines whose store was upgraded', () => {
  it('go on as if it had always been so', () => {
    const { address, change, update } = filledStore()
    const upgraded = olderCopy(address, 1)
    change()
    for (const each of [address, upgraded]) update(each)
    const [ours, theirs] = [upgraded, address].map((each) => answersAt(each))
    expect(ours!.byDevice.map(({ messages }) => messages)).toEqual(
      theirs!.byDevice.map(({ messages }) => messages),
    )
    expect(ours!.reader.figures).toEqual(theirs!.reader.figures)
    expect(ours!.reader.hits).toEqual(theirs!.reader.hits)
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
