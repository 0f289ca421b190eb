import type { SpaceAddress } from '../../team.ts'

/** What the thread is asked to do. An insert has its rows as lines of JSON arrays. */
export type Task =
  | { type: 'open'; address: SpaceAddress }
  | { type: 'close' }
  | { type: 'version'; address: SpaceAddress }
  | { type: 'select'; sql: string }
  | { type: 'run'; sql: string }
  | { type: 'insert'; table: string; columns: readonly string[]; lines: string }

export interface Request {
  /** The number of the request, and that of the connection. */
  id: number
  connection: number
  task: Task
}

/** What may be known of a failure: never a message of the server, which quotes statements and values. */
export interface Fault {
  /** The name of a network error (`ECONNREFUSED`) or of an error of the engine (`UNKNOWN_TABLE`). */
  name: string
  /** The number of an error of the engine. */
  code?: number
  /** The name of the rule that a row broke. */
  rule?: string
}

/** The answer to a request. `text` has one JSON array per line. */
export interface Answer {
  id: number
  text?: string
  fault?: Fault
}

/** How the thread that asks and the thread that answers find each other. */
export interface ThreadData {
  /** One integer. It changes with each answer. */
  signal: SharedArrayBuffer
}
