import { ScrollbackError } from '../../errors.ts'
import { type Connection, clusterOf, ifAllowed, UnknownSetting } from './connection/connection.ts'
import { identifier, raw, sql } from './connection/literal.ts'
import {
  DEVICE_TABLES,
  FILE_TABLES,
  FIRST_VERSION,
  MIGRATION_TABLE,
  MIGRATIONS,
  SCHEMA_VERSION,
} from './schema.ts'

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

/** What decides on which shard of a cluster a row is. Every server has all rows of the other tables. */
const SHARDING: Readonly<Record<string, string>> = {
  // All rows of a file are on one shard, because ClickHouse merges and deduplicates within a shard only.
  artifact: 'intHash64(id)',
  ...Object.fromEntries(FILE_TABLES.map((name) => [name, 'intHash64(artifact)'])),
  ...Object.fromEntries(DEVICE_TABLES.map((name) => [name, 'cityHash64(device)'])),
}

const CREATE = /^CREATE TABLE IF NOT EXISTS (\w+) \(/
const ALTER = /^ALTER TABLE (\w+) /

/** The name of the table with the rows of one shard, behind the distributed one. */
export const localName = (table: string): string => (table in SHARDING ? `${table}_local` : table)

/**
 * The statements that create or upgrade the tables in the current database, as `migrate` does. They may run
 * twice. With a cluster, tables are replicated, and distributed ones are in front of the sharded ones.
 *
 * @example
 * schemaStatements() // ['CREATE TABLE IF NOT EXISTS migration (…', …, 'INSERT INTO migration …']
 */
export function schemaStatements(cluster?: string): string[] {
  const steps = MIGRATIONS.flat()
  const noted = `INSERT INTO migration (version) VALUES ${MIGRATIONS.map((_, index) => `(${FIRST_VERSION + index})`).join(', ')}`
  if (cluster === undefined) return [MIGRATION_TABLE, ...steps, noted]
  return [
    ...[MIGRATION_TABLE, ...steps].map((statement) => onCluster(statement, cluster)),
    ...Object.entries(SHARDING).map(([table, key]) => distributed(table, key, cluster)),
    noted,
  ]
}

/** A statement for the servers of a cluster, about the rows that each of them has. */
function onCluster(statement: string, cluster: string): string {
  const [start = '', table = ''] = CREATE.exec(statement) ?? ALTER.exec(statement) ?? []
  if (table === '') throw new Error(`Not a statement about a table: ${statement}`)
  const name = localName(table)
  const isSharded = name !== table
  const path = `/clickhouse/tables/${isSharded ? '{shard}' : 'all'}/{database}/${name}`
  const replica = isSharded ? '{replica}' : '{shard}-{replica}'
  const rest = statement
    .slice(start.length)
    .replace(
      /ENGINE = (Replacing|Aggregating)MergeTree(?:\(([^)]*)\))?/,
      (_, kind: string, columns?: string) => {
        const given = columns === undefined ? '' : `, ${columns}`
        return sql`ENGINE = Replicated${raw(kind)}MergeTree(${path}, ${replica}${raw(given)})`
      },
    )
  return start.startsWith('CREATE')
    ? `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER ${identifier(cluster)} (${rest}`
    : `ALTER TABLE ${name} ON CLUSTER ${identifier(cluster)} ${rest}`
}

/** It has no rows of its own, so replacing it only gives it new columns. */
const distributed = (table: string, key: string, cluster: string): string =>
  sql`CREATE OR REPLACE TABLE ${raw(table)} ON CLUSTER ${raw(identifier(cluster))} AS ${raw(localName(table))}
    ENGINE = Distributed(${cluster}, currentDatabase(), ${localName(table)}, ${raw(key)})`
