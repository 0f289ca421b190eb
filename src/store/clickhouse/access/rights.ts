import { identifier } from '../connection/identifier.ts'
import { raw, sql } from '../connection/literal.ts'
import { idsOf } from '../ownership.ts'
import { localName } from '../schema-statements.ts'
import { FILE_TABLES } from '../team-tables.ts'

/** Somebody who may use a team store. `name` is the user of the database. */
export type Account =
  /** `persons` are those whose sessions the machine has. */
  | { kind: 'device'; name: string; device: string; persons: readonly string[] }
  /** `persons` are those whose sessions the reader sees besides their own, `teams` teams of such persons. */
  | { kind: 'reader'; name: string; persons: readonly string[]; teams?: readonly string[] }
  | { kind: 'admin'; name: string }

/** What an account may do with a table. `rows` is a condition; without one, all rows. */
export interface Right {
  table: string
  /** `SELECT, INSERT` */
  actions: string
  rows?: string
}

/** Where the tables are. */
export interface Location {
  database: string
  /** The name of the cluster. Then policies are about the tables with the rows of one shard. */
  cluster?: string | undefined
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
export const CLUSTER_SETTINGS = {
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
export function rightsOf(account: Account, location: Location): Right[] {
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
        ...['artifact', 'preview', 'settled'].map(byDevice),
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
