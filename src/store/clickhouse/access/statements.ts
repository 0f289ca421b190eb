import { identifier } from '../connection/identifier.ts'
import { raw, sql } from '../connection/literal.ts'
import { DEVICE_USER, personRole, sharesIds } from '../ownership.ts'
import { TABLES } from '../schema.ts'
import { localName } from '../schema-statements.ts'
import { type Account, CLUSTER_SETTINGS, type Location, type Right, rightsOf, SETTINGS } from './rights.ts'

/** An account, and the SHA-256 of its password in hexadecimal digits. */
export type Identified = Account & { hash: string }

/** Every user that these statements create has this role, so that users of others are not replaced. */
const ROLE = 'scrollback'

/**
 * The statements that create an account, or replace everything about it. They stop if somebody else created
 * the user. Policies come before the rights that they limit, so that nobody sees too much if a statement
 * fails.
 */
export function accountStatements(account: Identified, location: Location): string[] {
  const user = raw(identifier(account.name))
  const cluster = raw(location.cluster === undefined ? '' : ` ON CLUSTER ${identifier(location.cluster)}`)
  const database = raw(identifier(location.database))
  const rights = rightsOf(account, location)
  const settings = Object.entries({
    ...(account.kind === 'admin' ? {} : SETTINGS),
    ...(location.cluster === undefined ? {} : CLUSTER_SETTINGS),
  }).map(([name, value]) => sql`${raw(name)} = ${value}`)
  const roles = rolesOf(account).map(identifier)
  const policy = raw(identifier(`scrollback ${account.name}`))
  return [
    ...(account.kind === 'device' ? [uniqueIds(account, location)] : []),
    notOfOthers(account),
    ...roles.map((role) => sql`CREATE ROLE IF NOT EXISTS ${raw(role)}${cluster}`),
    // This also takes away every right and role that the user had.
    [
      sql`CREATE USER OR REPLACE ${user}${cluster} IDENTIFIED WITH sha256_hash BY ${account.hash}`,
      ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
    ].join(' '),
    sql`DROP ROW POLICY IF EXISTS ${policy} ON ${raw(TABLES.map((table) => `${database.sql}.${tableIn(location, table)}`).join(', '))}${cluster}`,
    ...rights.flatMap(({ table, rows }) =>
      rows === undefined
        ? []
        : sql`CREATE ROW POLICY OR REPLACE ${policy}${cluster}
  ON ${database}.${raw(tableIn(location, table))}
  USING ${raw(rows)}
  TO ${user}`,
    ),
    sql`GRANT${cluster} ${raw(roles.join(', '))} TO ${user}`,
    ...(account.kind === 'admin' ? [sql`GRANT${cluster} ALL ON ${database}.* TO ${user}`] : []),
    ...(account.kind === 'admin' && location.cluster !== undefined
      ? [sql`GRANT${cluster} CLUSTER ON *.* TO ${user}`]
      : []),
    ...rights.flatMap((right) =>
      tablesOf(right, location).map(
        (table) => sql`GRANT${cluster} ${raw(right.actions)} ON ${raw(table)} TO ${user}`,
      ),
    ),
  ]
}

/** The roles of an account. The rules of the tables ask for those of persons. */
export const rolesOf = (account: Account): string[] => [
  ROLE,
  ...(account.kind === 'device' ? account.persons.map(personRole) : []),
]

/** Fails if the user exists and is none of ours, such as `default`, or runs the statements. */
const notOfOthers = ({ name }: Account): string =>
  sql`SELECT throwIf(count() > 0, ${`The user ${name} is that of these statements, or exists and was not created by scrollback.`}) FROM system.users
  WHERE name = ${name} AND (name = currentUser() OR name NOT IN (
    SELECT user_name FROM system.role_grants WHERE user_name IS NOT NULL AND granted_role_name = ${ROLE}))`

/** Fails if the ids of a machine are those of another one, which happens once in 16 million times. */
const uniqueIds = ({ device }: Account & { kind: 'device' }, { database }: Location): string =>
  sql`SELECT throwIf(count() > 0, ${`Another machine has the ids of ${device}. Give this one another name.`})
  FROM (SELECT substring(name, ${DEVICE_USER.length + 1}) AS device FROM system.users WHERE startsWith(name, ${DEVICE_USER})
    UNION ALL SELECT DISTINCT device FROM ${raw(identifier(database))}.artifact)
  WHERE ${raw(sharesIds('device', device))}`

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

/** The name of the table with the rows. */
const tableIn = ({ cluster }: Location, table: string): string =>
  cluster === undefined ? table : localName(table)

/** On a cluster, a question about a distributed table is also one about the rows of each shard. */
function tablesOf({ table }: Right, { database, cluster }: Location): string[] {
  if (table.startsWith('system.')) return [table]
  const names = cluster === undefined ? [table] : [...new Set([table, localName(table)])]
  return names.map((name) => `${identifier(database)}.${name}`)
}
