import { type Raw, raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'

/** With more files than this, the newest rows of all files are determined by the engine. */
const MOST_FILES = 5000

/**
 * The files that have several rows with the same key: those with removed messages, which are known from the
 * start, and others, which a search adds when it finds them. Undefined if they are too many.
 */
export interface Replaced {
  files: Set<number> | undefined
}

/** Asks for the files with removed messages. The index of the column skips all other rows. */
export function replacedFiles({ connection }: Scope): Replaced {
  const found = connection.select<[number]>(
    sql`SELECT DISTINCT artifact FROM item WHERE deleted = 1 LIMIT ${MOST_FILES + 1}`,
  )
  return { files: found.length > MOST_FILES ? undefined : new Set(found.map(([id]) => id)) }
}

/** Adds files. Returns whether some of them are new. */
export function addReplaced(replaced: Replaced, files: Iterable<number>): boolean {
  if (replaced.files === undefined) return false
  const before = replaced.files.size
  for (const id of files) replaced.files.add(id)
  const isMore = replaced.files.size > before
  if (replaced.files.size > MOST_FILES) replaced.files = undefined
  return isMore
}

/**
 * Rows of `item AS i`, in branches of a `UNION ALL`. `FINAL` makes the engine compare the keys of all rows
 * that could replace one that is found. Most files have one row for each key, so only files in `replaced` are
 * read that way. Their rows have 1 as `merged`.
 *
 * @param columns Names of columns, separated by commas
 * @param keys A condition on columns of the key, or undefined
 */
export function newestItems(
  { files }: Replaced,
  { columns, keys, where }: { columns: string; keys?: string; where: string },
): string {
  const merged = (one: string): string =>
    `SELECT ${columns}, 1 AS merged FROM item AS i FINAL ${one === '' ? '' : `PREWHERE ${one}`} WHERE ${where}`
  if (files === undefined) return merged(keys ?? '')
  const plain = (one: string): string =>
    `SELECT ${columns}, 0 AS merged FROM item AS i WHERE ${one} AND i.deleted = 0 AND ${where}`
  const condition = keys ?? '1'
  if (files.size === 0) return plain(condition)
  const some = sql`i.artifact IN ${[...files]}`
  return `${plain(`${condition} AND NOT ${some}`)} UNION ALL ${merged(`${condition} AND ${some}`)}`
}

/** Of the rows of `newestItems` as `i`, and their files as `a`: those that are of a completed batch. */
export const COMPLETED: Raw = raw('(i.merged = 0 OR i.version <= a.version)')
