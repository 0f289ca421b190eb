import { clusterOf } from './cluster.ts'
import type { Connection } from './connection/connection.ts'
import { identifier } from './connection/identifier.ts'
import { raw, sql } from './connection/literal.ts'
import { localName } from './schema-statements.ts'

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
