/** What every reader of a client's database asks, whatever its tables. */
export const CONNECTION_STATEMENTS = { begin: 'BEGIN', end: 'COMMIT' } as const

/** The names of all tables, and the number of the schema. Their contents are in no statement. */
export const SCHEMA_STATEMENTS = {
  names: `SELECT m.name AS name FROM sqlite_master m WHERE m.type = 'table'`,
  version: 'SELECT user_version AS version FROM pragma_user_version',
} as const

/** A statement for which of these tables exist, with which columns. */
export const columnsOf = (tables: string): string =>
  `SELECT m.name AS name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name IN (${tables.replace(/\w+/g, "'$&'").replace(/\s+/g, ', ')})`
