import { ifAllowed } from './connection/if-allowed.ts'
import { raw, sql } from './connection/literal.ts'
import { createMutations } from './mutations.ts'
import type { Scope } from './scope.ts'
import { noteRemoved, ownFiles } from './write/remove-files.ts'
import type { createWriter } from './write/writer.ts'

/** The columns that identify a row, and its month, in the tables whose rows a file leaves. */
const KEYS = {
  item: 'artifact, generation, line, place, record, digest, at',
  usage: 'artifact, reply',
  project: 'artifact',
  unlinked: 'artifact',
  figure: 'artifact',
}

type Removing = Pick<ReturnType<typeof createWriter>, 'forget' | 'erase'>

/**
 * Removes files as a user who may not delete: every row is replaced by one without content, so that no answer
 * contains it. The bytes leave the disk when ClickHouse merges the parts. Words stay in the vocabulary until
 * an administrator forgets the session.
 */
export function withdrawing(scope: Scope, writer: Removing): Removing {
  const { tryDeleting } = createMutations(scope)
  let mayDelete: boolean | undefined
  const deletesNothing = (): boolean => {
    tryDeleting()
    return true
  }
  const deletes = (): boolean => {
    mayDelete ??= ifAllowed(deletesNothing) ?? false
    return mayDelete
  }
  return {
    forget: (ids) => (deletes() ? writer.forget(ids) : void withdraw(scope, ids)),
    erase: (ids) => (deletes() ? writer.erase(ids) : { messages: withdraw(scope, ids), words: 0 }),
  }
}

/** Returns how many messages no other file of this device contains. */
function withdraw(scope: Scope, ids: readonly number[]): number {
  const { connection } = scope
  const files = ownFiles(scope, ids)
  if (files.length === 0) return 0
  const some = files.map(({ id }) => id)
  const [[messages] = [0]] = connection.select<[number]>(
    sql`SELECT uniqExact(record, digest) FROM item FINAL WHERE artifact IN ${some} AND (record, digest) NOT IN (
      SELECT record, digest FROM item FINAL WHERE artifact NOT IN ${some})`,
  )
  noteRemoved(scope, files)
  for (const [table, key] of Object.entries(KEYS))
    connection.run(sql`INSERT INTO ${raw(table)} (${raw(key)}, version, deleted)
      SELECT ${raw(key)}, version + 1, 1 FROM ${raw(table)} FINAL WHERE artifact IN ${some}`)
  return messages
}
