import { randomBytes } from 'node:crypto'
import type { Administration, Forgotten, Machine, SessionName, SpaceAddress, Upgrade } from '../team.ts'
import { type Connection, clusterOf, connect, SPACE_RULE } from './connection/connection.ts'
import { identifier, raw, sql } from './connection/literal.ts'
import { keyOf } from './inbox.ts'
import { localName, upgradeOf } from './migrate.ts'
import { FILE_TABLES, type FileTable } from './schema.ts'

const TABLES = Object.keys(FILE_TABLES) as FileTable[]
/** Those whose rows say when their session ended, and what started it. */
const OF_SESSIONS: readonly FileTable[] = ['arrival', 'artifact']
/**
 * The order of what administrators did: each reads the last number, and the clock of the server decides
 * between two.
 */
const LAST = '(number, at)'

/** How many values are in one statement. Each statement visits all parts that contain some of them. */
const MOST = 200_000

/** Opens a space for an administrator: see `TeamEngine`. */
export function openAdministration(address: SpaceAddress): Administration {
  const connection = connect(address)
  /** The name of the table with the rows, as statements that change them need it. */
  let cluster: { name: string | undefined } | undefined
  const altered = (table: string): string => {
    cluster ??= { name: clusterOf(connection) }
    return cluster.name === undefined ? table : `${localName(table)} ON CLUSTER ${identifier(cluster.name)}`
  }

  function forgotten(): Forgotten[] {
    return connection
      .select<[string, string, string, string, number]>(
        `SELECT platform, session, argMax(parent, ${LAST}), argMax(by, ${LAST}), toUnixTimestamp64Milli(max(at)) FROM forgotten
          GROUP BY platform, session HAVING argMax(undone, ${LAST}) = 0 ORDER BY max(number), session`,
      )
      .map(([platform, session, parent, by, atMs]) => ({
        platform,
        session,
        by,
        atMs,
        ...(parent === '' ? {} : { parent }),
      }))
  }

  const cutoff = (): number | undefined =>
    connection.select<[number]>(`SELECT cutoff FROM retention ORDER BY ${LAST} DESC LIMIT 1`)[0]?.[0]

  /** The number of what is noted next. */
  const nextNumber = (table: string): number =>
    connection.select<[number]>(sql`SELECT max(number) + 1 FROM ${raw(table)}`)[0]![0]

  function note(sessions: readonly (SessionName & { parent?: string })[], undone: 0 | 1): void {
    const number = nextNumber('forgotten')
    connection.insert(
      'forgotten',
      ['platform', 'session', 'parent', 'key', 'undone', 'number'],
      sessions.map(({ platform, session, parent = '' }) => [
        platform,
        session,
        parent,
        keyOf(platform, session),
        undone,
        number,
      ]),
    )
    setRules()
  }

  /**
   * Sets what the tables refuse. The new rule is added before the earlier one goes, so there is no moment
   * without one. A rule has hashes of sessions, never their names.
   */
  function setRules(): void {
    const rule = `${SPACE_RULE}${randomBytes(6).toString('hex')}`
    const keys = forgotten().map(({ platform, session }) => keyOf(platform, session))
    const since = cutoff()
    for (const table of TABLES) {
      const before = rulesOf(table)
      const checks = [
        ...(keys.length === 0 ? [] : [sql`key NOT IN ${keys}`]),
        ...(keys.length > 0 && OF_SESSIONS.includes(table) ? [sql`parentKey NOT IN ${keys}`] : []),
        ...(since !== undefined && OF_SESSIONS.includes(table)
          ? [sql`(ended = 0 OR ended >= ${since})`]
          : []),
      ]
      if (checks.length > 0)
        connection.run(`ALTER TABLE ${altered(table)} ADD CONSTRAINT ${rule} CHECK ${checks.join(' AND ')}`)
      for (const earlier of before)
        connection.run(`ALTER TABLE ${altered(table)} DROP CONSTRAINT IF EXISTS ${earlier}`)
    }
  }

  function rulesOf(table: string): string[] {
    altered(table)
    const name = cluster!.name === undefined ? table : localName(table)
    const [[text] = ['']] = connection.select<[string]>(
      sql`SELECT create_table_query FROM system.tables WHERE database = ${connection.database} AND name = ${name}`,
    )
    return [...text.matchAll(new RegExp(`CONSTRAINT \`?(${SPACE_RULE}\\w+)`, 'g'))].map(([, found]) => found!)
  }

  /** Waits until every replica has written the parts with these rows again, without them. */
  const deleteRows = (table: string, column: string, values: readonly number[]): void => {
    for (let from = 0; from < values.length; from += MOST)
      connection.run(
        sql`ALTER TABLE ${raw(altered(table))} DELETE WHERE ${raw(column)} IN ${values.slice(from, from + MOST)} SETTINGS mutations_sync = 2`,
      )
  }

  return {
    forgotten,
    cutoff,
    forget: (sessions) => note(sessions, 0),
    acceptAgain: (sessions) => note(sessions, 1),
    retain(cutoffMs) {
      connection.insert('retention', ['cutoff', 'number'], [[Math.floor(cutoffMs), nextNumber('retention')]])
      setRules()
    },
    erase(ids, sessions) {
      const keys = sessions.map(({ platform, session }) => keyOf(platform, session))
      for (const table of TABLES) {
        deleteRows(table, FILE_TABLES[table], ids)
        deleteRows(table, 'key', keys)
      }
    },
    eraseRemoved() {
      const removed = connection.select<Removed>(
        sql`SELECT id, toString(max(version)) FROM artifact GROUP BY id HAVING argMax(deleted, version) = 1`,
      )
      // The rows that remove others stay: an insert may be repeated late.
      for (const table of TABLES.filter((each) => OF_CONTENT[each] !== ''))
        for (let from = 0; from < removed.length; from += MOST) {
          const rows = `${removedRows(FILE_TABLES[table], removed.slice(from, from + MOST))} ${OF_CONTENT[table]}`
          const [[many] = [0]] = connection.select<[number]>(
            sql`SELECT count() FROM ${raw(table)} WHERE ${raw(rows)}`,
          )
          if (many > 0)
            connection.run(
              sql`ALTER TABLE ${raw(altered(table))} DELETE WHERE ${raw(rows)} SETTINGS mutations_sync = 2`,
            )
        }
    },
    messagesOnlyIn: (ids) => messagesOnlyIn(connection, ids),
    count: (ids, sessions) =>
      TABLES.reduce((sum, table) => {
        const keys = sessions.map(({ platform, session }) => keyOf(platform, session))
        const [[rows] = [0]] = connection.select<[number]>(
          sql`SELECT count() FROM ${raw(table)} WHERE (key IN ${keys} OR ${raw(FILE_TABLES[table])} IN ${ids})
            ${raw(OF_CONTENT[table])}`,
        )
        return sum + rows
      }, 0),
    messagesByFile: (ids) =>
      new Map(
        connection.select<[number, number]>(
          sql`SELECT artifact, count() FROM item FINAL WHERE artifact IN ${ids} GROUP BY artifact`,
        ),
      ),
    machines: () => machinesIn(connection),
    format: () => upgradeOf(connection).from,
    close: () => connection.close(),
  }
}

/** The id of a file that its machine has removed, and the version of that, which may exceed a number. */
type Removed = [id: number, version: string]

/**
 * The rows of files up to the versions that removed them: a machine may send one again meanwhile. Each
 * machine counts its versions itself, so that those of two files cannot be compared.
 */
const removedRows = (column: string, removed: readonly Removed[]): string => {
  const ids = removed.map(([id]) => id).join()
  const versions = removed.map(([, version]) => `'${version}'`).join()
  return `${column} IN (${ids}) AND version <= transform(${column}, CAST([${ids}] AS Array(Int64)), CAST([${versions}] AS Array(UInt64)), toUInt64(0))`
}

/** Rows that remove others have no content. */
const OF_CONTENT: Record<FileTable, string> = {
  arrival: '',
  artifact: 'AND deleted = 0',
  item: 'AND deleted = 0',
  usage: 'AND deleted = 0',
}

/** How many messages no other file of any machine contains. */
export const messagesOnlyIn = (connection: Connection, ids: readonly number[]): number =>
  ids.length === 0
    ? 0
    : connection.select<[number]>(
        sql`SELECT uniqExact(record, digest) FROM item FINAL WHERE artifact IN ${ids} AND (record, digest) NOT IN (
          SELECT record, digest FROM item FINAL WHERE artifact NOT IN ${ids})`,
      )[0]![0]

const MACHINE = ['device', 'person', 'program', 'format', 'files', 'messages', 'refused', 'newestMs'] as const

function machinesIn(connection: Connection): Machine[] {
  return connection
    .select<[...(string | number)[]]>(
      `SELECT device, person, program, format, f.there, messages, refused, newest, toUnixTimestamp64Milli(at),
        toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(at) FROM (SELECT * FROM delivery FINAL) AS d
        LEFT JOIN (SELECT device, count() AS there FROM artifact FINAL GROUP BY device) AS f USING (device)
        ORDER BY at DESC, device`,
    )
    .map((values) => {
      const [deliveredMs, agoMs] = values.slice(MACHINE.length) as [number, number]
      const named = Object.fromEntries(MACHINE.map((name, index) => [name, values[index]]))
      return { ...(named as unknown as Machine), deliveredMs, agoMs }
    })
}

/** Brings the tables to the format of this program: see `TeamEngine`. */
export function upgradeSpace(address: SpaceAddress, dryRun: boolean): Upgrade {
  const connection = connect(address)
  try {
    const upgrade = upgradeOf(connection)
    if (!dryRun) for (const statement of upgrade.statements) connection.run(statement)
    return upgrade
  } finally {
    connection.close()
  }
}
