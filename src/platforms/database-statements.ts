/** What every reader of a client's database asks, whatever its tables. */
export const CONNECTION_STATEMENTS = { begin: 'BEGIN', end: 'COMMIT' } as const

/** A statement for which of these tables exist, with which columns. */
export const columnsOf = (tables: string): string =>
  `SELECT m.name AS name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name IN (${tables.replace(/\w+/g, "'$&'").replace(/\s+/g, ', ')})`
