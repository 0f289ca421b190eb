import type { Account, AccountWithPassword, TeamLocation } from '../team.ts'
import { identifier, raw, sql } from './connection/literal.ts'
import { localName } from './migrate.ts'
import { DEVICE_USER, FILE_TABLES, idsOf, personRole, sharesIds, TABLES } from './schema.ts'

/** What an account may do with a table. `rows` is a condition; without one, all rows. */
interface Right {
  table: string
  /** `SELECT, INSERT` */
  actions: string
  rows?: string
}

/**
 * The settings of everyone but administrators. ClickHouse 26.7 does not find the column when it answers from
 * the text index alone and a policy mentions the column.
 */
export const SETTINGS = { query_plan_direct_read_from_text_index: 0 } as const

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
const SIZES: Right = { table: 'system.parts', actions: 'SELECT(database, active, bytes_on_disk)' }

/**
 * A policy that does not mention the indexed column leaves the words of the text index to everyone who may
 * select from the table, through `mergeTreeTextIndex`.
 */
const closed = (table: string, rows: string): string =>
  table === 'item' ? `(${rows}) AND NOT ignore(words)` : rows

/**
 * What an account may do, table by table. Everything that is not listed is refused.
 *
 * A device inserts, and reads what it has written, because it compares that with what is new. It deletes
 * nothing. What it may insert is a rule of the tables (`RULES`). A reader sees the files of some persons and
 * those that their owners share; the rows of other tables follow from that, because the policy of `artifact`
 * holds inside of the other policies, too.
 *
 * Policies do not cover `mergeTreeIndex`, which shows primary keys. Those are ids and hashes, except in
 * `vocabulary`, which nobody but an administrator may read.
 */
export function rightsOf(account: Account, location: TeamLocation): Right[] {
  const name = (table: string): string =>
    `${identifier(location.database)}.${location.cluster === undefined ? table : localName(table)}`
  switch (account.kind) {
    case 'admin':
      // Everything in the database is granted at once.
      return [SIZES]
    case 'device': {
      const own = sql`device = ${account.device}`
      const { first, count } = idsOf(account.device)
      const written = sql`artifact BETWEEN ${first} AND ${first + count - 1}`
      const byDevice = (table: string): Right => ({ table, actions: 'SELECT, INSERT', rows: own })
      return [
        { table: 'migration', actions: 'SELECT' },
        { table: 'forgotten', actions: 'SELECT' },
        { table: 'retention', actions: 'SELECT' },
        ...['artifact', 'settled'].map(byDevice),
        { table: 'vocabulary', actions: 'INSERT' },
        ...FILE_TABLES.map((table) => ({ table, actions: 'SELECT, INSERT', rows: closed(table, written) })),
        SIZES,
      ]
    }
    case 'reader': {
      const persons = [account.name, ...account.persons]
      // Without FINAL, what a machine has removed would be visible until ClickHouse merges its rows.
      const visible = sql`artifact IN (SELECT id FROM ${raw(name('artifact'))} FINAL)`
      const { teams = [] } = account
      const inTeams = sql`team IN ${teams}`
      const ofTeams =
        teams.length === 0
          ? ''
          : `\n    OR person IN (SELECT person FROM ${name('member')} FINAL WHERE ${inTeams})\n   `
      const shares = raw(sql`(SELECT owner, platform, session FROM ${raw(name('share'))} FINAL)`)
      return [
        { table: 'migration', actions: 'SELECT' },
        {
          table: 'artifact',
          actions: 'SELECT',
          rows: sql`person IN ${persons}${raw(ofTeams)} OR (person, platform, session) IN ${shares}
    OR (person, platform, parent) IN ${shares}`,
        },
        ...['arrival', 'project', 'item', 'usage', 'figure'].map((table) => ({
          table,
          actions: 'SELECT',
          rows: closed(table, visible),
        })),
        {
          table: 'share',
          actions: 'SELECT, INSERT',
          rows: sql`owner = ${account.name} OR reader IN ${['', account.name]}`,
        },
        ...(teams.length === 0 ? [] : [{ table: 'member', actions: 'SELECT', rows: inTeams }]),
        SIZES,
      ]
    }
  }
}

/** Every user that these statements create has this role, so that users of others are not replaced. */
const ROLE = 'scrollback'

/**
 * The statements that create an account, or replace everything about it. They stop if somebody else created
 * the user. Policies come before the rights that they limit, so that nobody sees too much if a statement
 * fails.
 */
export function accountStatements(account: AccountWithPassword, location: TeamLocation): string[] {
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
const uniqueIds = ({ device }: Account & { kind: 'device' }, { database }: TeamLocation): string =>
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
  { database }: Pick<TeamLocation, 'database'>,
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
const tableIn = ({ cluster }: TeamLocation, table: string): string =>
  cluster === undefined ? table : localName(table)

/** On a cluster, a question about a distributed table is also one about the rows of each shard. */
function tablesOf({ table }: Right, { database, cluster }: TeamLocation): string[] {
  if (table.startsWith('system.')) return [table]
  const names = cluster === undefined ? [table] : [...new Set([table, localName(table)])]
  return names.map((name) => `${identifier(database)}.${name}`)
}
