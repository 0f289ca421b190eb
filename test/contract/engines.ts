import { openClickHouseStore } from '../../src/store/clickhouse/open.ts'
import { TABLES } from '../../src/store/clickhouse/schema.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { IN_MEMORY, openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'

/** An engine to which the contract of stores is applied. */
export interface Engine {
  name: string
  /** An empty store. */
  open(): Store
  /** Messages are stored first, and their words later. */
  indexesLater: boolean
}

const sqlite: Engine = {
  name: 'SQLite',
  open: () => openSqliteStore(IN_MEMORY, 0).store,
  indexesLater: true,
}

/** A server for tests: `http://user:password@host:8123/database`. Its database is emptied. */
const server = process.env.SCROLLBACK_CLICKHOUSE

/** Every engine that runs here. */
export const engines: readonly Engine[] = server === undefined ? [sqlite] : [sqlite, clickHouse(server)]

/** The same for `describe.each`. */
export const namedEngines = engines.map((engine) => [engine.name, engine] as const)

function clickHouse(address: string): Engine {
  const { origin, username, password, pathname } = new URL(address)
  const given = { url: origin, user: decodeURIComponent(username), password: decodeURIComponent(password) }
  const prefix = `${pathname.slice(1) || 'default'}_${process.env.VITEST_POOL_ID ?? '0'}`
  const free: string[] = []
  let count = 0

  /** Creating tables takes longer than emptying them, so databases are used again. */
  function database(): string {
    const used = free.pop()
    const name = used ?? `${prefix}_${count++}`
    const connection = connect({ ...given, database: 'default' })
    if (used === undefined) {
      connection.run(`DROP DATABASE IF EXISTS ${name}`)
      connection.run(`CREATE DATABASE ${name}`)
    } else for (const table of TABLES) connection.run(`TRUNCATE TABLE ${name}.${table}`)
    connection.close()
    return name
  }

  return {
    name: 'ClickHouse',
    indexesLater: false,
    open() {
      const name = database()
      const store = openClickHouseStore({ ...given, database: name, device: 'moss' })
      return {
        ...store,
        close() {
          store.close()
          free.push(name)
        },
      }
    },
  }
}
