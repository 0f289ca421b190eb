import type { Connection } from './connection/connection.ts'
import { identifier } from './connection/identifier.ts'
import { raw, sql } from './connection/literal.ts'
import { localName } from './schema-statements.ts'

/** How many values are in one statement. Each statement rewrites all parts that contain some of them. */
const MOST = 200_000

/**
 * Returns a function that deletes the rows of a table whose column has one of some values, and waits until
 * every replica has rewritten the parts that contained some. The old parts leave the disk minutes later
 * (`old_parts_lifetime`).
 */
export function createDeleting({ connection }: { connection: Connection }) {
  let cluster: string | undefined
  const clusterOf = (): string => {
    cluster ??=
      connection
        .select<[string]>(
          sql`SELECT engine_full FROM system.tables
            WHERE database = ${connection.database} AND name = 'item' AND engine = 'Distributed'`,
        )
        .map(([engine]) => /^Distributed\('((?:[^'\\]|\\.)*)'/.exec(engine)?.[1] ?? '')[0] ?? ''
    return cluster
  }
  return (table: string, column: string, values: readonly (string | number)[], more = '1'): void => {
    const on = clusterOf()
    const name = on === '' ? table : `${localName(table)} ON CLUSTER ${identifier(on)}`
    for (let from = 0; from < values.length; from += MOST)
      connection.run(
        sql`ALTER TABLE ${raw(name)} DELETE WHERE ${raw(column)} IN ${values.slice(from, from + MOST)} AND ${raw(more)}
          SETTINGS mutations_sync = 2`,
      )
  }
}
