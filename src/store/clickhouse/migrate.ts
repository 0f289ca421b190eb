import { ScrollbackError } from '../../errors.ts'
import type { Upgrade } from '../team.ts'
import { type Connection, clusterOf, UnknownSetting } from './connection/connection.ts'
import { identifier, raw, sql } from './connection/literal.ts'
import { FILE_TABLES, FIRST_FORMAT, FORMAT, MIGRATION_TABLE, MIGRATIONS } from './schema.ts'

/** The oldest version of ClickHouse with all that the tables and the questions use. */
const OLDEST = '26.7'

/** The format of the tables; 0 if there are none. Throws a `ScrollbackError` if the server is too old. */
function formatOf(connection: Connection): number {
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
 * Checks that this program can read a space. `unseen` is called with what newer formats have added. Throws a
 * `ScrollbackError` if there are no tables, or if they are too old.
 */
export function checkFormat(connection: Connection, unseen: (adds: string) => void): void {
  const format = formatOf(connection)
  if (format > FORMAT) {
    const added = connection.select<[string]>(
      sql`SELECT adds FROM migration FINAL WHERE version > ${FORMAT} AND notEmpty(adds) ORDER BY version`,
    )
    unseen(added.map(([adds]) => adds).join(', ') || 'columns of a later version')
  }
  if (format === 0 || format >= FORMAT) return
  throw new ScrollbackError(
    'store-unreadable',
    `The space ${connection.database} has the format ${format}, and this version of scrollback reads ${FORMAT}.`,
    'Ask the administrator to run: scrollback store upgrade --dry-run --store …',
  )
}

function refuseEarlier({ database }: Connection, format: number): void {
  if (format > 0 && format < FIRST_FORMAT)
    throw new ScrollbackError(
      'store-unreadable',
      `The tables in ${database} were made by a version of scrollback before its first release (their format is ${format}).`,
      'Create another database for the tables of this version, which the machines fill with collect.',
    )
}

/**
 * The statements that bring the tables to the format of this program. They may run twice. Throws a
 * `ScrollbackError` if a newer program made the tables.
 */
export function upgradeOf(connection: Connection): Upgrade {
  const from = formatOf(connection)
  refuseEarlier(connection, from)
  if (from > FORMAT)
    throw new ScrollbackError(
      'store-newer',
      `The tables in ${connection.database} were made by a newer version of scrollback (their format is ${from}, this one knows ${FORMAT}).`,
      'Update scrollback.',
    )
  if (from === FORMAT) return { from, to: FORMAT, statements: [] }
  // Distributed tables refuse most of the statements.
  const cluster = clusterOf(connection)
  return {
    from,
    to: FORMAT,
    statements: cluster === undefined ? [MIGRATION_TABLE, ...stepsAfter(from)] : schemaStatements(cluster),
  }
}

const stepsAfter = (from: number): string[] =>
  MIGRATIONS.flatMap(({ statements, adds }, index) =>
    FIRST_FORMAT + index <= from ? [] : [...statements, noted(FIRST_FORMAT + index, adds)],
  )

const noted = (format: number, adds: string): string =>
  sql`INSERT INTO migration (version, adds) VALUES (${format}, ${adds})`

/** What decides on which shard of a cluster a row is. Every server has all rows of the other tables. */
const SHARDING: Readonly<Record<string, string>> = {
  // All rows of a file are on one shard, because ClickHouse merges and deduplicates within a shard only.
  ...Object.fromEntries(Object.entries(FILE_TABLES).map(([table, id]) => [table, `intHash64(${id})`])),
}

const CREATE = /^CREATE TABLE IF NOT EXISTS (\w+) \(/
const ALTER = /^ALTER TABLE (\w+) /
const VIEW = /^CREATE OR REPLACE VIEW (\w+) /

/** The name of the table with the rows of one shard, behind the distributed one. */
export const localName = (table: string): string => (table in SHARDING ? `${table}_local` : table)

/**
 * The statements that create or upgrade the tables in the current database, as `upgradeOf` does. They may run
 * twice. With a cluster, tables are replicated, and distributed ones are in front of the sharded ones.
 *
 * @example
 * schemaStatements() // ['CREATE TABLE IF NOT EXISTS migration (…', …, 'INSERT INTO migration …']
 */
export function schemaStatements(cluster?: string): string[] {
  if (cluster === undefined) return [MIGRATION_TABLE, ...stepsAfter(0)]
  const steps = MIGRATIONS.flatMap(({ statements }) => statements)
  return [
    ...[MIGRATION_TABLE, ...steps].map((statement) => onCluster(statement, cluster)),
    ...Object.entries(SHARDING).map(([table, key]) => distributed(table, key, cluster)),
    ...MIGRATIONS.map(({ adds }, index) => noted(FIRST_FORMAT + index, adds)),
  ]
}

/** A statement for the servers of a cluster, about the rows that each of them has. */
function onCluster(statement: string, cluster: string): string {
  const view = VIEW.exec(statement)
  if (view) return statement.replace(view[0], `${view[0]}ON CLUSTER ${identifier(cluster)} `)
  const [start = '', table = ''] = CREATE.exec(statement) ?? ALTER.exec(statement) ?? []
  if (table === '') throw new Error(`Not a statement about a table: ${statement}`)
  const name = localName(table)
  const isSharded = name !== table
  const path = `/clickhouse/tables/${isSharded ? '{shard}' : 'all'}/{database}/${name}`
  const replica = isSharded ? '{replica}' : '{shard}-{replica}'
  const rest = statement
    .slice(start.length)
    .replace(
      /ENGINE = (Replacing|Aggregating|)MergeTree(?:\(([^)]*)\))?/,
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
