import type { ReplyUsage } from '../../../model/event.ts'
import { raw, sql } from '../connection/literal.ts'
import { filesOf, type Scope } from '../scope.ts'
import { usageIn } from './well-formed.ts'

/** Reads the usage that a forked session had already recorded at the fork. */
export function inheritedBy(scope: Scope, id: number): ReplyUsage[] {
  const { connection } = scope
  const first = connection.select<[string, number, string]>(
    sql`SELECT model, argMin(sum, line), argMin(used, line) FROM statement FINAL WHERE artifact = ${id}
      GROUP BY model ORDER BY model`,
  )
  return first.flatMap(([model, sum, used]) => {
    const most = usageIn(used)
    if (!most) return []
    const others = connection.select<[number, number, string, number]>(
      sql`SELECT s.artifact, s.line, s.used, a.generation FROM
        (SELECT artifact, line, used FROM statement FINAL WHERE sum = ${sum} AND model = ${model}) AS s
        INNER JOIN ${filesOf(
          { ...scope, everyone: true },
          'id, generation',
          raw(sql`session NOT IN (SELECT session FROM artifact FINAL WHERE id = ${id})`),
        )} ON a.id = s.artifact
        ORDER BY JSONExtractFloat(s.used, 'cost') DESC, a.age, s.line DESC`,
    )
    for (const [artifact, line, text, generation] of others) {
      if (!containsBefore(artifact, generation, line)) continue
      const inherited = usageIn(text)
      if (!inherited || (inherited.cost ?? 0) > (most.cost ?? 0)) continue
      return [{ ...inherited, ...(model === '' ? {} : { model }) }]
    }
    return []
  })

  /** Whether this file contains the last message before a line of another. Then it contains all of them. */
  function containsBefore(artifact: number, generation: number, line: number): boolean {
    const [last] = connection.select<[number, number]>(
      sql`SELECT record, digest FROM item FINAL WHERE artifact = ${artifact} AND generation = ${generation}
        AND line < ${line} ORDER BY line DESC, place DESC LIMIT 1`,
    )
    if (!last) return false
    const [record, digest] = last
    const found = connection.select(
      sql`SELECT 1 FROM item FINAL WHERE artifact = ${id} AND record = ${record} AND digest = ${digest} LIMIT 1`,
    )
    return found.length > 0
  }
}
