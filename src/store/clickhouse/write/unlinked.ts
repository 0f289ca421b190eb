import { LATEST_MS, MOST_ALIKE, SLACK_MS } from '../../link-limits.ts'
import { sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'

/** What has changed of what files say about each other. */
export interface LinkChanges {
  /** Messages to other agents that were added or removed. */
  sent: { digest: number; at: number }[]
  /** Prompts that were added. */
  heard: { artifact: number; digest: number; at: number }[]
  templates: Set<number>
  /** Sums that files recorded. */
  sums: Set<number>
  /** Files whose opening has changed. */
  files: Set<number>
}

/** Lists the files whose links depend on what has changed. */
export function unlinkAffected(scope: Scope, { sent, heard, templates, sums, files }: LinkChanges): void {
  const { connection } = scope
  const found = new Set(files)
  if (sent.length > 0)
    for (const [artifact, digest, at] of connection.select<[number, number, number]>(
      sql`SELECT artifact, digest, at FROM heard FINAL WHERE digest IN ${numbers(sent)}`,
    ))
      if (sent.some((each) => each.digest === digest && arrives(each.at, at))) found.add(artifact)
  if (heard.length > 0) {
    const calls = Map.groupBy(
      connection.select<[number, number, number]>(
        sql`SELECT artifact, digest, at FROM sent FINAL WHERE digest IN ${numbers(heard)}`,
      ),
      ([, digest]) => digest,
    )
    for (const { artifact, digest, at } of heard)
      if (calls.get(digest)?.some(([from, , sentAt]) => from !== artifact && arrives(sentAt, at)))
        found.add(artifact)
  }
  if (templates.size > 0)
    for (const [artifact] of connection.select<[number]>(
      sql`SELECT artifact FROM template FINAL WHERE template IN ${[...templates]} LIMIT ${MOST_ALIKE} BY template`,
    ))
      found.add(artifact)
  if (sums.size > 0)
    for (const [artifact] of connection.select<[number]>(sql`SELECT DISTINCT artifact FROM statement FINAL
      WHERE sum IN (SELECT sum FROM statement FINAL WHERE sum IN ${[...sums]}
        GROUP BY sum HAVING uniqExact(artifact) > 1)`))
      found.add(artifact)
  if (found.size === 0) return
  const version = scope.stamp()
  connection.insert(
    'unlinked',
    ['artifact', 'version', 'deleted'],
    Array.from(found, (artifact) => [artifact, version, 0]),
  )
}

const numbers = (rows: readonly { digest: number }[]): number[] => [
  ...new Set(rows.map(({ digest }) => digest)),
]

/** Whether a prompt of this time can be a message that was sent at that time. */
const arrives = (sentAt: number, heardAt: number): boolean =>
  heardAt >= sentAt - SLACK_MS && heardAt <= sentAt + LATEST_MS
