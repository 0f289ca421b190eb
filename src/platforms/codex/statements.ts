import { columnsOf } from '../database-statements.ts'

/** All statements for Codex's databases. The only table is the queue; the others repeat the rollouts. */
export const STATEMENTS = {
  columns: columnsOf('queued_items'),
  queued: `SELECT id, thread_id AS thread, payload_json AS payload, created_at_ms AS created, updated_at_ms AS updated
    FROM queued_items ORDER BY thread_id, queue_order`,
} as const
