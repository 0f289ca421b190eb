import type { Erased } from '../store.ts'
import { type Connection, clusterOf } from './connection/connection.ts'
import { identifier, raw, sql } from './connection/literal.ts'
import { localName } from './migrate.ts'
import { FILE_TABLES } from './schema.ts'
import type { Scope } from './scope.ts'

/**
 * Erases files of any device: every row of them in every table, and the words that no other message of the
 * device contains. Unlike the erasing of a single device, this leaves no row behind.
 */
export function eraseOfAll(scope: Scope, ids: readonly number[]): Erased {
  if (ids.length === 0) return { messages: 0, words: 0 }
  const { connection } = scope
  const { erase } = createMutations(scope)
  const devices = connection
    .select<[string]>(sql`SELECT DISTINCT device FROM artifact WHERE id IN ${ids}`)
    .map(([device]) => device)
  const words = connection
    .select<[string]>(
      sql`SELECT DISTINCT arrayJoin(splitByChar(' ', words)) AS word FROM item WHERE artifact IN ${ids} AND word <> ''`,
    )
    .map(([word]) => word)
  const messages = messagesOnlyIn(scope, ids)
  for (const table of FILE_TABLES) erase(table, 'artifact', ids)
  erase('artifact', 'id', ids)
  // Otherwise a machine would not notice that something is missing, once it may write it again.
  erase('settled', 'device', devices)
  let unused = 0
  for (const device of devices) {
    const own = unusedWords(scope, device, words)
    erase('vocabulary', 'word', own, sql`device = ${device}`)
    unused += own.length
  }
  return { messages, words: unused }
}

/** How many messages no other file of any device contains. */
export const messagesOnlyIn = ({ connection }: Pick<Scope, 'connection'>, ids: readonly number[]): number =>
  ids.length === 0
    ? 0
    : connection.select<[number]>(
        sql`SELECT uniqExact(record, digest) FROM item FINAL WHERE artifact IN ${ids} AND (record, digest) NOT IN (
          SELECT record, digest FROM item FINAL WHERE artifact NOT IN ${ids})`,
      )[0]![0]

/** Which of some words no message of a device contains any more, among those in its vocabulary. */
function unusedWords({ connection }: Scope, device: string, words: readonly string[]): string[] {
  const known = new Set(words)
  const found = connection.select<[string]>(
    sql`SELECT word FROM vocabulary FINAL WHERE device = ${device} AND word NOT IN (
      SELECT DISTINCT arrayJoin(splitByChar(' ', words)) FROM item
        WHERE artifact IN (SELECT id FROM artifact FINAL WHERE device = ${device}))`,
  )
  return found.flatMap(([word]) => (known.has(word) ? word : []))
}

/** How many values are in one statement. Each statement visits all parts that contain some of them. */
const MOST = 200_000

/**
 * The statements that change rows which are stored. ClickHouse refuses them for a distributed table. With a
 * cluster, they are about the tables with the rows of a shard, on all servers.
 *
 * - `delete`: the rows are in no answer from now on, and leave the disk when their part is merged
 * - `erase`: waits until every replica has rewritten the parts with these rows. The old parts leave the disk
 *   minutes later (`old_parts_lifetime`)
 * - `merge`: merges all parts, so that rows which were replaced leave the disk
 *
 * @example
 * mutationStatements('prod').delete('item', 'artifact = 5')
 * // 'DELETE FROM item_local ON CLUSTER `prod` WHERE artifact = 5'
 */
export function mutationStatements(cluster?: string) {
  const named = (table: string) =>
    raw(cluster === undefined ? table : `${localName(table)} ON CLUSTER ${identifier(cluster)}`)
  return {
    delete: (table: string, where: string) => sql`DELETE FROM ${named(table)} WHERE ${raw(where)}`,
    erase: (table: string, where: string) =>
      sql`ALTER TABLE ${named(table)} DELETE WHERE ${raw(where)} SETTINGS mutations_sync = 2`,
    merge: (table: string) => sql`OPTIMIZE TABLE ${named(table)} FINAL`,
  }
}

/** Changes rows that are stored, in the tables of one server or of a cluster. */
export function createMutations({ connection }: { connection: Connection }) {
  let made: ReturnType<typeof mutationStatements> | undefined
  const statements = (): ReturnType<typeof mutationStatements> => {
    made ??= mutationStatements(clusterOf(connection))
    return made
  }
  const forAll =
    (kind: 'delete' | 'erase') =>
    (table: string, column: string, values: readonly (string | number)[], more = '1'): void => {
      for (let from = 0; from < values.length; from += MOST)
        connection.run(
          statements()[kind](
            table,
            sql`${raw(column)} IN ${values.slice(from, from + MOST)} AND ${raw(more)}`,
          ),
        )
    }
  return {
    /** Deletes the rows of a table whose column has one of some values, and which fulfil a condition. */
    delete: forAll('delete'),
    /** The same, and leaves nothing of them on the disk. */
    erase: forAll('erase'),
    merge: (table: string): void => connection.run(statements().merge(table)),
    /** Deletes nothing. Throws a `NotAllowed` if this user may not delete. */
    tryDeleting: (): void => connection.run(statements().delete('item', '0')),
  }
}
