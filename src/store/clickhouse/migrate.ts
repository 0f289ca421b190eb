import { ScrollbackError } from '../../errors.ts'
import { clusterOf } from './cluster.ts'
import type { Connection } from './connection/connection.ts'
import { UnknownSetting } from './connection/faults.ts'
import { ifAllowed } from './connection/if-allowed.ts'
import { sql } from './connection/literal.ts'
import { FIRST_VERSION, MIGRATION_TABLE, MIGRATIONS, SCHEMA_VERSION } from './schema.ts'
import { schemaStatements } from './schema-statements.ts'

/** The oldest version of ClickHouse with all that the tables and the questions use. */
const OLDEST = '26.7'

/** The version of the tables; 0 if there are none. Throws a `ScrollbackError` if the server is too old. */
function versionOf(connection: Connection): number {
  const [count, server] = tablesAt(connection)
  refuseOlder(connection, server)
  if (count === 0) return 0
  return connection.select<[number]>('SELECT max(version) FROM migration')[0]![0]
}

/** How many tables of migrations there are, and the version of the server, in one question. */
function tablesAt(connection: Connection): [count: number, server: string] {
  try {
    return connection.select<[number, string]>(
      sql`SELECT count(), version() FROM system.tables WHERE database = ${connection.database} AND name = 'migration'`,
    )[0]!
  } catch (error) {
    if (error instanceof UnknownSetting) refuseOlder(connection, connection.serverVersion())
    throw error
  }
}

function refuseOlder({ database }: Connection, server: string): void {
  if (!isOlder(server, OLDEST)) return
  throw new ScrollbackError(
    'store-unreadable',
    `The server of ${database} has ClickHouse ${server}, and a team store needs ${OLDEST} or later.`,
    'Ask the administrator of the store to update ClickHouse.',
  )
}

/** Whether a version is before another one, by year and release. */
function isOlder(version: string, than: string): boolean {
  const [[year, release], [ofYear, ofRelease]] = [version, than].map((text) =>
    text.split('.').map(Number),
  ) as [number[], number[]]
  return year! < ofYear! || (year === ofYear && release! < ofRelease!)
}

/**
 * Upgrades the tables to the latest version. Each step is recorded after its statements, which may run twice:
 * a client that is interrupted, or two at once, leave nothing that has to be repaired. Throws a
 * `ScrollbackError` if a newer version of scrollback made the tables, or one before the first release.
 */
export function migrate(connection: Connection): void {
  const version = versionOf(connection)
  if (version > SCHEMA_VERSION)
    throw new ScrollbackError(
      'store-newer',
      `The tables in ${connection.database} were made by a newer version of scrollback (their format is ${version}, this one knows ${SCHEMA_VERSION}).`,
      'Update scrollback.',
    )
  if (version > 0 && version < FIRST_VERSION)
    throw new ScrollbackError(
      'store-unreadable',
      `The tables in ${connection.database} were made by a version of scrollback before its first release (their format is ${version}).`,
      'Ask the administrator to create a database for the tables of this version, which the machines fill with collect.',
    )
  if (version === SCHEMA_VERSION) return
  const isUpgraded = ifAllowed(() => {
    upgrade(connection, version)
    return true
  })
  if (!isUpgraded)
    throw new ScrollbackError(
      'store-unreadable',
      `The tables in ${connection.database} are missing or made by an older version of scrollback, and this user may not change them.`,
      `Ask the administrator to run: scrollback store schema | clickhouse-client --database ${connection.database} --multiquery`,
    )
}

function upgrade(connection: Connection, version: number): void {
  const cluster = clusterOf(connection)
  if (cluster !== undefined) {
    // Distributed tables refuse most of the statements.
    for (const statement of schemaStatements(cluster)) connection.run(statement)
    return
  }
  connection.run(MIGRATION_TABLE)
  for (const [index, step] of MIGRATIONS.entries()) {
    const number = FIRST_VERSION + index
    if (number <= version) continue
    for (const statement of step) connection.run(statement)
    connection.insert('migration', ['version'], [[number]])
  }
}
