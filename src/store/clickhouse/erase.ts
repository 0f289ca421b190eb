import type { Erased } from '../store.ts'
import { sql } from './connection/literal.ts'
import { createMutations } from './mutations.ts'
import type { Scope } from './scope.ts'
import { FILE_TABLES } from './team-tables.ts'

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
  const previews = connection.select<[string, string]>(
    sql`SELECT device, path FROM artifact FINAL WHERE id IN ${ids}`,
  )
  for (const table of FILE_TABLES) erase(table, 'artifact', ids)
  erase('artifact', 'id', ids)
  // Otherwise a machine would not notice that something is missing, once it may write it again.
  erase('settled', 'device', devices)
  for (const device of devices) {
    const paths = previews.filter(([owner]) => owner === device).map(([, path]) => path)
    erase('preview', 'path', paths, sql`device = ${device}`)
  }
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
