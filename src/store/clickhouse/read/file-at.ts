import { type Raw, raw, sql } from '../connection/literal.ts'
import { atPaths, type Scope } from '../scope.ts'

/** A file, as far as its items need it. */
export interface FileAt {
  id: number
  generation: number
  version: number
  cuts: string
}

export function fileAt(scope: Scope, path: string): FileAt | undefined {
  const [found] = scope.connection.select<[number, number, number, string]>(
    sql`SELECT id, generation, version, cuts FROM artifact FINAL WHERE ${atPaths(scope, [path])} LIMIT 1`,
  )
  if (!found) return undefined
  const [id, generation, version, cuts] = found
  return { id, generation, version, cuts }
}

/**
 * The conditions for the items of a file as it is now, without those of an unfinished batch. The key comes
 * first, so that the texts of other files in the same granules are not read.
 */
export const itemsOf = ({ id, generation, version }: FileAt): Raw =>
  raw(sql`PREWHERE i.artifact = ${id} AND i.generation = ${generation} WHERE i.version <= ${version}`)
