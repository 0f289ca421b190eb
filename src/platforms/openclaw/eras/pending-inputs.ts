import type { Connection } from './connection.ts'
import { STATEMENTS } from './statements.ts'

const COLUMNS = ['seq', 'session_id', 'message_json', 'state', 'accepted_at', 'consumed_event_id']

const hasPending = ({ tables }: Connection): boolean =>
  COLUMNS.every((column) => tables.get('session_pending_inputs')?.has(column))

/**
 * Prompts that were accepted but not sent yet, as an unterminated last line, because no transcript contains
 * them until the agent takes them. They have no id, because the later record has its own.
 */
export function pendingLine(sessionId: string, connection: Connection): Buffer {
  if (!hasPending(connection)) return Buffer.alloc(0)
  const rows = connection.database.prepare(STATEMENTS.pending).all(sessionId)
  const records = rows.map(({ message, accepted }) =>
    JSON.stringify({
      type: 'message',
      timestamp: Number(accepted),
      message: parsed(message),
      pendingInput: true,
    }),
  )
  return Buffer.from(records.join(''))
}

/** By session, a number that changes when prompts are added or taken. */
export function pendingStates(connection: Connection): ReadonlyMap<string, number> {
  if (!hasPending(connection)) return new Map()
  const rows = connection.database.prepare(STATEMENTS.pendingSessions).all()
  return new Map(rows.map(({ id, accepted, count }) => [String(id), Number(accepted) + Number(count)]))
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
