import type { Account, AccountWithPassword, SpaceLocation } from '../team.ts'
import { identifier, raw, sql } from './connection/literal.ts'
import { localName } from './migrate.ts'
import { COLUMNS, DEVICE_USER, sharesIds } from './schema.ts'

/**
 * What a reader may set, and cannot exceed: time in seconds, memory in bytes, rows, and the size of an
 * answer. With `readonly = 2`, a reader may change settings, but neither this one nor those that are
 * constant.
 */
export const LIMITS = {
  max_execution_time: 60,
  max_memory_usage: 4_000_000_000,
  max_rows_to_read: 2_000_000_000,
  max_result_rows: 5_000_000,
  max_result_bytes: 2_000_000_000,
} as const

/** What all questions of a reader may take together within an hour. */
const QUOTA = { queries: 20_000, execution_time: 1800, result_rows: 50_000_000 } as const

/**
 * The settings of everyone on a cluster, also for statements of other programs: joins reach all shards, and
 * an insert is acknowledged when it is stored, on most replicas.
 */
const CLUSTER_SETTINGS = {
  distributed_product_mode: 'global',
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
} as const

/** The columns that tell the size of the store. */
const SIZES = 'SELECT(database, active, bytes_on_disk) ON system.parts'

/**
 * The rights of an account, as they follow `GRANT`. Everything else is refused. A machine may only insert,
 * and only the columns that are its own to say: the server says when something arrived.
 */
export const rightsOf = (account: Pick<Account, 'kind'>, { databases, cluster }: SpaceLocation): string[] => [
  ...databases.flatMap((database) => rightsIn(database, account, cluster)),
  ...(account.kind === 'device' ? [] : [SIZES]),
  ...(account.kind === 'admin' && cluster !== undefined ? ['CLUSTER ON *.*'] : []),
]

function rightsIn(database: string, { kind }: Pick<Account, 'kind'>, cluster: string | undefined): string[] {
  const all = `${identifier(database)}.*`
  switch (kind) {
    case 'admin':
      return [`ALL ON ${all}`]
    case 'reader':
      return [`SELECT ON ${all}`]
    case 'device':
      return Object.entries(COLUMNS).flatMap(([table, columns]) =>
        [...new Set([table, ...(cluster === undefined ? [] : [localName(table)])])].map(
          (name) => `INSERT(${columns.join(', ')}) ON ${identifier(database)}.${name}`,
        ),
      )
  }
}

/** The settings of an account, as they follow `SETTINGS`. */
const settingsOf = ({ kind }: Pick<Account, 'kind'>, cluster?: string): string[] => [
  ...(kind === 'reader'
    ? ['readonly = 2', ...Object.entries(LIMITS).map(([name, value]) => `${name} = ${value} CONST`)]
    : []),
  ...(cluster === undefined
    ? []
    : Object.entries(CLUSTER_SETTINGS).map(([name, value]) => sql`${raw(name)} = ${value}`)),
]

/** Every user that these statements create has this role, so that users of others are not replaced. */
export const ROLE = 'scrollback'

/**
 * The statements that create an account, or replace everything about it. They stop if somebody else created
 * the user.
 */
export function accountStatements(account: AccountWithPassword, location: SpaceLocation): string[] {
  const { name, proof } = account
  const user = raw(identifier(name))
  const cluster = raw(location.cluster === undefined ? '' : ` ON CLUSTER ${identifier(location.cluster)}`)
  const settings = settingsOf(account, location.cluster)
  const quota = raw(identifier(`scrollback ${name}`))
  return [
    ...(account.kind === 'device' ? [uniqueIds(account, location)] : []),
    notOfOthers(account),
    sql`CREATE ROLE IF NOT EXISTS ${raw(ROLE)}${cluster}`,
    // This also takes away every right and role that the user had.
    [
      sql`CREATE USER OR REPLACE ${user}${cluster} IDENTIFIED WITH ${raw(
        'ldap' in proof ? sql`ldap SERVER ${proof.ldap}` : sql`sha256_hash BY ${proof.hash}`,
      )}`,
      ...(settings.length === 0 ? [] : [`SETTINGS ${settings.join(', ')}`]),
    ].join(' '),
    ...(account.kind === 'reader'
      ? [
          sql`CREATE QUOTA OR REPLACE ${quota}${cluster} FOR INTERVAL 1 hour MAX ${raw(
            Object.entries(QUOTA)
              .map(([limit, most]) => `${limit} = ${most}`)
              .join(', '),
          )} TO ${user}`,
        ]
      : []),
    sql`GRANT${cluster} ${raw(ROLE)} TO ${user}`,
    ...rightsOf(account, location).map((right) => sql`GRANT${cluster} ${raw(right)} TO ${user}`),
  ]
}

/** Fails if the user exists and is none of ours, such as `default`, or runs the statements. */
const notOfOthers = ({ name }: Account): string =>
  sql`SELECT throwIf(count() > 0, ${`The user ${name} is that of these statements, or exists and was not created by scrollback.`}) FROM system.users
  WHERE name = ${name} AND (name = currentUser() OR name NOT IN (
    SELECT user_name FROM system.role_grants WHERE user_name IS NOT NULL AND granted_role_name = ${ROLE}))`

/** Fails if the ids of a machine are those of another one, which happens once in 16 million times. */
const uniqueIds = ({ device }: Account & { kind: 'device' }, { databases }: SpaceLocation): string =>
  sql`SELECT throwIf(count() > 0, ${`Another machine has the ids of ${device}. Give this one another name.`})
  FROM (SELECT substring(name, ${DEVICE_USER.length + 1}) AS device FROM system.users WHERE startsWith(name, ${DEVICE_USER})
    ${raw(databases.map((database) => `UNION ALL SELECT DISTINCT device FROM ${identifier(database)}.artifact`).join(' '))})
  WHERE ${raw(sharesIds('device', device))}`
