import { sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import { ALL, UNDECIDED } from './file-rows.ts'
import type { Planned } from './plan.ts'

/**
 * Called when a generation was read to its end for the first time, and its items are stored. Decides what was
 * cut off; see `createCutHeads` of SQLite. Returns whether a part was; undefined if that was no question.
 */
export function settle(scope: Scope, planned: Planned): boolean | undefined {
  const { increment, file } = planned
  if (increment.artifact.kind === 'memory') return undefined
  const undecided = planned.cuts.find(({ line }) => line === UNDECIDED)
  let isCut: boolean | undefined
  if (undecided) {
    const line = cutLine(scope, file, undecided.generation)
    isCut = line !== undefined
    planned.cuts = planned.cuts.flatMap((cut) => {
      if (cut !== undecided) return cut
      return line === undefined ? [] : { ...cut, line }
    })
  }
  return isCut
}

/** The line up to which an earlier generation was cut off. Undefined if the file changed in another way. */
function cutLine({ connection }: Scope, file: Planned['file'], earlier: number): number | undefined {
  const items = (generation: number): { sql: string } => ({
    sql: sql`(SELECT line, record, digest, at FROM item FINAL
      WHERE artifact = ${file.id} AND generation = ${generation})`,
  })
  const [repeated] = connection.select<[number, number]>(sql`SELECT o.line, n.line
    FROM ${items(earlier)} AS o INNER JOIN ${items(file.generation)} AS n
    ON o.record = n.record AND o.digest = n.digest ORDER BY o.line, n.line LIMIT 1`)
  if (repeated) return repeated[1] < repeated[0] ? repeated[0] : undefined
  const timesOf = (generation: number): [first: number | null, last: number | null] =>
    connection.select<[number | null, number | null]>(
      sql`SELECT min(at), max(at) FROM ${items(generation)} WHERE at > 0`,
    )[0]!
  const [, last] = timesOf(earlier)
  if (last === null) return undefined
  const [first] = timesOf(file.generation)
  return first === null || last <= first ? ALL : undefined
}

/** Whether a file may have items of earlier generations that this one repeats. */
export const mayRepeat = ({ settles, increment, file }: Planned): boolean =>
  settles && file.generation > 1 && increment.artifact.kind !== 'memory'

/** Removes what a generation repeats of earlier ones. The rest is gone from the file. */
export function forgetRepeated(
  { connection }: Scope,
  { id, generation, version }: Pick<Planned['file'], 'id' | 'generation' | 'version'>,
): void {
  connection.run(sql`INSERT INTO item (artifact, generation, line, place, record, digest, version, deleted, at)
    SELECT artifact, generation, line, place, record, digest, ${version}, 1, at FROM item FINAL
    WHERE artifact = ${id} AND generation < ${generation} AND (record, digest) IN
      (SELECT record, digest FROM item FINAL WHERE artifact = ${id} AND generation = ${generation})`)
}
