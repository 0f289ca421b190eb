import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** How many statements a connection keeps. A search needs about twenty, and their texts repeat. */
const MOST = 64

const known = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/**
 * Prepares a statement, or returns the one that was prepared from the same text before. Otherwise each search
 * would leave its statements, which SQLite holds until garbage is collected. Only for `get` and `all`: a
 * statement that somebody is still iterating over cannot be run again. `arrays` returns rows as arrays, which
 * takes half the time for many.
 */
export function prepared(
  database: DatabaseSync,
  sql: string,
  { arrays }: { arrays: boolean } = { arrays: false },
): Pick<StatementSync, 'get' | 'all'> {
  const statements = known.get(database) ?? new Map<string, StatementSync>()
  known.set(database, statements)
  const statement = statements.get(sql) ?? database.prepare(sql)
  statement.setReturnArrays(arrays)
  // The one that was used last is at the end.
  statements.delete(sql)
  statements.set(sql, statement)
  const [oldest] = statements.keys()
  if (statements.size > MOST) statements.delete(oldest!)
  return statement
}
