import { upgradeSpace } from '../../src/store/clickhouse/administration.ts'
import { connect } from '../../src/store/clickhouse/connection/connection.ts'
import { TABLES } from '../../src/store/clickhouse/schema.ts'
import type { SpaceAddress } from '../../src/store/team.ts'

/** A server for tests: `http://user:password@host:8123/database`. Databases whose names begin so are emptied. */
const server = process.env.SCROLLBACK_CLICKHOUSE

export type Databases = ReturnType<typeof databasesOf>

/** The databases of the server for tests. Undefined if there is none. */
export const testDatabases = (): Databases | undefined =>
  server === undefined ? undefined : databasesOf(server)

/** The databases of a server. Creating tables takes longer than emptying them, so databases are used again. */
function databasesOf(address: string) {
  const { origin, username, password, pathname } = new URL(address)
  const given = { url: origin, user: decodeURIComponent(username), password: decodeURIComponent(password) }
  const prefix = `${pathname.slice(1) || 'default'}_${process.env.VITEST_POOL_ID ?? '0'}`
  const free: string[] = []
  let count = 0
  return {
    /** An empty one. */
    take(): SpaceAddress {
      const used = free.pop()
      const database = used ?? `${prefix}_${count++}`
      const connection = connect({ ...given, database: 'default' })
      if (used === undefined) {
        connection.run(`DROP DATABASE IF EXISTS ${database}`)
        connection.run(`CREATE DATABASE ${database}`)
        upgradeSpace({ ...given, database }, false)
      } else for (const table of TABLES) connection.run(`TRUNCATE TABLE ${database}.${table}`)
      connection.close()
      return { ...given, database }
    },
    giveBack: ({ database }: SpaceAddress): void => void free.push(database),
  }
}
