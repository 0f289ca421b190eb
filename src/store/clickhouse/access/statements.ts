import { identifier } from '../connection/identifier.ts'
import { raw, sql } from '../connection/literal.ts'
import { localName } from '../schema-statements.ts'
import { type Account, CLUSTER_SETTINGS, type Location, type Right, rightsOf, SETTINGS } from './rights.ts'

/** An account, and the SHA-256 of its password in hexadecimal digits. */
export type Identified = Account & { hash: string }

/**
 * The statements that create an account, or bring it up to date. Policies come before the rights that they
 * limit, so that nobody sees too much if a statement fails.
 */
export function accountStatements(account: Identified, location: Location): string[] {
  const user = raw(identifier(account.name))
  const cluster = location.cluster === undefined ? '' : ` ON CLUSTER ${identifier(location.cluster)}`
  const database = raw(identifier(location.database))
  const rights = rightsOf(account, location)
  const settings = Object.entries({
    ...(account.kind === 'admin' ? {} : SETTINGS),
    ...(location.cluster === undefined ? {} : CLUSTER_SETTINGS),
  }).map(([name, value]) => sql`${raw(name)} = ${value}`)
  const identified = [
    sql`IDENTIFIED WITH sha256_hash BY ${account.hash}`,
    ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
  ].join(' ')
  return [
    sql`CREATE USER IF NOT EXISTS ${user}${raw(cluster)} ${raw(identified)}`,
    sql`ALTER USER ${user}${raw(cluster)} ${raw(identified)}`,
    sql`REVOKE${raw(cluster)} ALL ON ${database}.* FROM ${user}`,
    ...rights.flatMap(({ table, rows }) =>
      rows === undefined
        ? []
        : sql`CREATE ROW POLICY OR REPLACE ${raw(identifier(`scrollback ${account.name}`))}${raw(cluster)}
  ON ${database}.${raw(location.cluster === undefined ? table : localName(table))}
  USING ${raw(rows)}
  TO ${user}`,
    ),
    ...(account.kind === 'admin' ? [sql`GRANT${raw(cluster)} ALL ON ${database}.* TO ${user}`] : []),
    ...(account.kind === 'admin' && location.cluster !== undefined
      ? [sql`GRANT${raw(cluster)} CLUSTER ON *.* TO ${user}`]
      : []),
    ...rights.flatMap((right) =>
      tablesOf(right, location).map(
        (table) => sql`GRANT${raw(cluster)} ${raw(right.actions)} ON ${raw(table)} TO ${user}`,
      ),
    ),
  ]
}

/**
 * The statements that say who is in a team. Whoever is not named any more leaves it. Rights of readers stay
 * as they are.
 */
export function memberStatements(
  { team, persons }: { team: string; persons: readonly string[] },
  { database }: Pick<Location, 'database'>,
): string[] {
  const table = raw(`${identifier(database)}.member`)
  const now = raw('toUnixTimestamp64Milli(now64(3))')
  const insert = raw(sql`INSERT INTO ${table} (team, person, version, deleted)`)
  return [
    sql`${insert}
  SELECT team, person, ${now}, 1 FROM ${table} FINAL WHERE team = ${team} AND person NOT IN ${persons}`,
    sql`${insert} VALUES ${raw(persons.map((person) => sql`(${team}, ${person}, ${now}, 0)`).join(', '))}`,
  ]
}

/** On a cluster, a question about a distributed table is also one about the rows of each shard. */
function tablesOf({ table }: Right, { database, cluster }: Location): string[] {
  if (table.startsWith('system.')) return [table]
  const names = cluster === undefined ? [table] : [...new Set([table, localName(table)])]
  return names.map((name) => `${identifier(database)}.${name}`)
}
