import { identifier } from './connection/identifier.ts'
import { raw, sql } from './connection/literal.ts'
import { FIRST_VERSION, MIGRATION_TABLE, MIGRATIONS } from './schema.ts'
import { DEVICE_TABLES, FILE_TABLES } from './team-tables.ts'

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
