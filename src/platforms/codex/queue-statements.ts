import { join } from 'node:path'
import { fileInside, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { largest } from '../../model/iteration.ts'
import { asNumber, asObject, parsedJson } from '../../model/json.ts'
import { type Connection, createConnections, hasColumns, unknownIn } from '../database-connections.ts'
import { columnsOf } from '../database-statements.ts'
import { textOf } from '../result-text.ts'
import { ROWS, unpackedRows } from '../unpacked-rows.ts'

/** All statements for Codex's databases. The only table is the queue; the others repeat the rollouts. */
const STATEMENTS = {
  columns: columnsOf('queued_items'),
  queued: `SELECT id, thread_id AS thread, payload_json AS payload, created_at_ms AS created, updated_at_ms AS updated
    FROM queued_items ORDER BY thread_id, queue_order`,
} as const

const { ask, closeConnections } = createConnections(STATEMENTS.columns)

export { closeConnections }

/** A row of the queue. */
interface Queued {
  id: string
  thread: string
  text: string
  /** In ms. */
  created: number
  updated: number
  raw: Record<string, unknown>
}

const QUEUE = /^queue_(\d+)\.sqlite$/

/** The queue as an archive has it, with what the client has taken from it since. */
export const UNPACKED_QUEUE = `queue${ROWS}`

/** The newest queue of a root. Undefined for a tree that was unpacked from an archive. */
export function queueOf(root: string): string | undefined {
  const versions = listDirectory(root).entries.flatMap(({ name }) => {
    const version = QUEUE.exec(name)?.[1]
    return version !== undefined && fileInside(root, join(root, name), NO_LINKS) ? Number(version) : []
  })
  return versions.length === 0 ? undefined : join(root, `queue_${largest(versions)}.sqlite`)
}

const isKnown = (connection: Connection): boolean =>
  hasColumns(connection, 'queued_items', 'id', 'thread_id', 'payload_json', 'queue_order') &&
  hasColumns(connection, 'queued_items', 'created_at_ms', 'updated_at_ms')

/**
 * The prompts that wait for their turn (`codex queue`), in order. When the client takes one, it moves to the
 * rollout. Throws engine errors.
 */
export const queuedIn = (path: string): Queued[] =>
  ask(path, (connection) =>
    isKnown(connection)
      ? connection.database
          .prepare(STATEMENTS.queued)
          .all()
          .map((row) => queuedFrom({ ...row, payload: parsedJson(row.payload) ?? row.payload }))
      : [],
  )

/** The prompts of a queue that was unpacked from an archive. Throws the system's error. */
export const unpackedQueue = (root: string): Queued[] =>
  (unpackedRows(root, UNPACKED_QUEUE) ?? []).map(queuedFrom)

const queuedFrom = (row: Record<string, unknown>): Queued => ({
  id: String(row.id),
  thread: String(row.thread),
  text: textIn(row.payload),
  created: asNumber(row.created) ?? 0,
  updated: asNumber(row.updated) ?? 0,
  raw: row,
})

/** What a queue contains that this version does not know, in words. Throws engine errors. */
export const unknownOf = (path: string): string | undefined =>
  ask(path, (connection) =>
    connection.tables.has('queued_items') && !isKnown(connection)
      ? 'a queue of prompts whose columns this version does not know. A newer Codex needs a newer scrollback.'
      : unknownIn(connection, { known: [] }),
  )

/** `{ UserInput: { content: [{ type: 'text', text }] } }`. Pictures have no text. */
const textIn = (payload: unknown): string => textOf(asObject(asObject(payload)?.UserInput)?.content)
