import type { Connection } from './connection/connection.ts'
import { sql } from './connection/literal.ts'

/** The cluster whose tables are behind the distributed ones of a store. Undefined on one server. */
export const clusterOf = (connection: Connection): string | undefined =>
  connection
    .select<[string]>(
      sql`SELECT engine_full FROM system.tables
        WHERE database = ${connection.database} AND name = 'item' AND engine = 'Distributed'`,
    )
    .flatMap(([engine]) => clusterIn(engine) ?? [])[0]

/**
 * The name of the cluster in the definition of a distributed table.
 *
 * @example
 * clusterIn("Distributed('prod', 'team', 'item_local', intHash64(artifact))") // 'prod'
 */
export const clusterIn = (engine: string): string | undefined =>
  /^Distributed\('((?:[^'\\]|\\.)*)'/.exec(engine)?.[1]?.replaceAll(/\\(.)/g, '$1')
