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

/** What to read of `item AS i`, as parts of a statement. */
export interface Wanted {
  /** With their names, separated by commas. `version` is one of them. */
  columns: string
  /** A condition on columns of the key. */
  keys: string
  /** A condition on other columns. It is the same for all rows with the same key. */
  where: string
}

/** The rows that are stored, which is right for files with one row of each key. They have 0 as `merged`. */
export const plainItems = ({ columns, keys, where }: Wanted): string =>
  `SELECT ${columns}, 0 AS merged FROM item AS i WHERE ${keys} AND i.deleted = 0 AND ${where}`

/**
 * The newest row of each key. The engine compares the keys of all rows that could replace one that is found,
 * so this is for few files. They have 1 as `merged`.
 */
export const mergedItems = ({ columns, keys, where }: Wanted): string =>
  `SELECT ${columns}, 1 AS merged FROM item AS i FINAL PREWHERE ${keys} WHERE ${where}`

/** The newest rows of all files, in one or two branches of a `UNION ALL`. */
export function newestItems({ files }: Replaced, { columns, where }: Omit<Wanted, 'keys'>): string {
  if (files === undefined) return mergedItems({ columns, keys: '1', where })
  if (files.size === 0) return plainItems({ columns, keys: '1', where })
  const some = sql`i.artifact IN ${[...files]}`
  return `${plainItems({ columns, keys: `NOT ${some}`, where })} UNION ALL ${mergedItems({ columns, keys: some, where })}`
}

/** Of such rows as `i`, and their files as `a`: those that are of a completed batch. */
export const COMPLETED: Raw = raw('(i.merged = 0 OR i.version <= a.version)')
