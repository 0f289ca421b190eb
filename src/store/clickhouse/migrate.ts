import { ScrollbackError } from '../../errors.ts'
import { clusterOf } from './cluster.ts'
import type { Connection } from './connection/connection.ts'
import { ifAllowed } from './connection/if-allowed.ts'
import { sql } from './connection/literal.ts'
import { MIGRATION_TABLE, MIGRATIONS, SCHEMA_VERSION } from './schema.ts'
import { schemaStatements } from './schema-statements.ts'

/** The version of the tables; 0 if there are none. */
function versionOf(connection: Connection): number {
  const [there] = connection.select<[number]>(
    sql`SELECT count() FROM system.tables WHERE database = ${connection.database} AND name = 'migration'`,
  )
  if (there![0] === 0) return 0
  return connection.select<[number]>('SELECT max(version) FROM migration')[0]![0]
}

/**
 * Upgrades the tables to the latest version. Each step is recorded after its statements, which may run twice:
 * a client that is interrupted, or two at once, leave nothing that has to be repaired. Throws a
 * `ScrollbackError` if a newer version of scrollback made the tables.
 */
export function migrate(connection: Connection): void {
  const version = versionOf(connection)
  if (version > SCHEMA_VERSION)
    throw new ScrollbackError(
      'store-newer',
      `The tables in ${connection.database} were made by a newer version of scrollback (their format is ${version}, this one knows ${SCHEMA_VERSION}).`,
      'Update scrollback.',
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
    if (index < version) continue
    for (const statement of step) connection.run(statement)
    connection.insert('migration', ['version'], [[index + 1]])
  }
}
