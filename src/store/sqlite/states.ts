import type { DatabaseSync } from 'node:sqlite'
import { joinState, type StoredState, splitState } from '../state-bytes.ts'
import { prepareWrite } from './write-statement.ts'

/** Reads the states from which reading continues. */
export function createStateReader(database: DatabaseSync) {
  const sql = {
    head: database.prepare('SELECT state FROM fold WHERE artifact = ?'),
    part: database.prepare('SELECT state FROM fold_part WHERE artifact = ? AND name = ?'),
    parts: database.prepare('SELECT name, state FROM fold_part WHERE artifact = ?'),
  }
  const headOf = (id: number): Uint8Array | undefined => sql.head.get(id)?.state as Uint8Array | undefined
  return {
    state(id: number): StoredState | undefined {
      const head = headOf(id)
      const part = (name: string): Uint8Array | undefined =>
        sql.part.get(id, name)?.state as Uint8Array | undefined
      return head && { head, part }
    },
    wholeState(id: number): Uint8Array | undefined {
      const head = headOf(id)
      if (!head) return undefined
      const parts = sql.parts.all(id).map(({ name, state }) => [String(name), state as Uint8Array] as const)
      return joinState({ head, parts: new Map(parts), whole: true })
    },
  }
}

/** Writes the states from which reading continues. */
export function createStateWriter(database: DatabaseSync) {
  const sql = {
    head: prepareWrite(database, 'INSERT OR REPLACE INTO fold (artifact, state) VALUES (?, ?)'),
    part: prepareWrite(database, 'INSERT OR REPLACE INTO fold_part (artifact, name, state) VALUES (?, ?, ?)'),
    dropParts: prepareWrite(database, 'DELETE FROM fold_part WHERE artifact = ?'),
  }
  return {
    /** Writes a state, or what has changed of it. `isFirst`: the file has none yet. */
    write(id: number, state: Uint8Array, isFirst: boolean): void {
      const { head, parts, whole } = splitState(state)
      if (whole && !isFirst) sql.dropParts.run(id)
      sql.head.run(id, head)
      for (const [name, part] of parts) sql.part.run(id, name, part)
    },
  }
}
