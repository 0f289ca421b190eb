import type { DatabaseSync } from 'node:sqlite'
import { databaseFault, openReadOnly } from '../../../io/sqlite.ts'
import { createConnections } from '../../database-connections.ts'
import { STATEMENTS } from '../statements.ts'

/** The databases of the agents. */
export const { hold, ask, closeConnections } = createConnections(STATEMENTS.columns)

/** Asks a question on the state database, which is opened for this alone. Throws engine errors. */
export function askState<Answer>(path: string, question: (database: DatabaseSync) => Answer): Answer {
  const { database } = openReadOnly(path)
  try {
    return question(database)
  } finally {
    database.close()
  }
}

/** Describes why a database cannot be read. */
export const reasonOf = (error: unknown): string => databaseFault(error).what
