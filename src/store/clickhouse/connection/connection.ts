import { serverFault } from './faults.ts'
import type { Answer, ServerAddress, Task } from './protocol.ts'
import { answeringThread, nextConnection } from './thread.ts'

/** A value of a column. */
export type Cell = string | number | null | boolean

/** A connection to one database. All methods wait for the server and throw a `ScrollbackError`. */
export interface Connection {
  /** The name of the database. */
  readonly database: string
  /** The version of the server, also if it does not know the settings of other statements. */
  serverVersion(): string
  /** The rows that a statement returns, as lists of its columns. */
  select<Row extends readonly unknown[]>(sql: string): Row[]
  /** Runs a statement that returns nothing. */
  run(sql: string): void
  /** Inserts rows. No rows is no statement. */
  insert(table: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): void
  close(): void
}

/** Connects lazily: the first statement reaches the server. */
export function connect(address: ServerAddress): Connection {
  const thread = answeringThread()
  const connection = nextConnection()
  let open = true
  const ask = (task: Task): string => {
    const answer: Answer | undefined = open
      ? thread.ask(connection, task)
      : { id: 0, fault: { name: 'CLOSED' } }
    const fault = answer ? answer.fault : { name: 'ETIMEDOUT' }
    if (fault) throw serverFault(fault, address)
    return answer!.text ?? ''
  }
  ask({ type: 'open', address })
  return {
    database: address.database,
    serverVersion: () => rowsIn<[string]>(ask({ type: 'version', address }))[0]![0],
    select: <Row extends readonly unknown[]>(sql: string) => rowsIn<Row>(ask({ type: 'select', sql })),
    run(sql) {
      ask({ type: 'run', sql })
    },
    insert(table, columns, rows) {
      if (rows.length === 0) return
      ask({ type: 'insert', table, columns, lines: rows.map(lineOf).join('\n') })
    },
    close() {
      if (!open) return
      ask({ type: 'close' })
      open = false
    },
  }
}

/** The server refuses text that is not well-formed Unicode. */
const lineOf = (row: readonly Cell[]): string =>
  JSON.stringify(row.map((cell) => (typeof cell === 'string' ? cell.toWellFormed() : cell)))

function rowsIn<Row>(text: string): Row[] {
  const rows: Row[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end > start) rows.push(JSON.parse(text.slice(start, end)) as Row)
    start = end + 1
  }
  return rows
}
