import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** A statement that changes rows. Both numbers of a result are bigints. */
export interface WriteStatement {
  run(...values: SQLInputValue[]): Written
  /** With parameters by name, which are written `:name` in the statement. */
  run(values: Readonly<Record<string, SQLInputValue>>): Written
}

interface Written {
  changes: bigint
  lastInsertRowid: bigint
}

/**
 * Prepares an INSERT, UPDATE or DELETE that is called with `run()`. The store uses it for all of them.
 *
 * `run()` reports the last inserted row id of the connection, whatever the statement does. A DELETE from the
 * full-text index `spoken` makes FTS5 insert rows with ids above 2^53 into its own tables. Node 26 throws a
 * `RangeError` if such an id does not fit into a number, even when the statement itself is a plain UPDATE.
 * Bigints hold every id, and unlike `RETURNING id` they cost no time.
 */
export function prepareWrite(database: DatabaseSync, sql: string): WriteStatement {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement as unknown as WriteStatement
}
