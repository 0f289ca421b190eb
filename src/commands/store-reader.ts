import type { Session } from '../model/session.ts'
import type { Store, StoredSession } from '../store/store.ts'
import { readFromFile, type TranscriptReader } from './read-job.ts'

/** Reads transcripts out of the store; files it does not know are read themselves. */
export type StoreReader = TranscriptReader & { has(path: string): boolean; isGone(path: string): boolean }

export function createStoreReader(store: Store): StoreReader {
  let rows: Map<string, StoredSession> | undefined
  const rowOf = (path: string): StoredSession | undefined => {
    rows ??= new Map(store.sessions().map((each) => [each.session.path, each]))
    return rows.get(path)
  }
  const read: TranscriptReader = (task, redact) => {
    const row = rowOf(task.artifact.path)
    if (!row) return readFromFile(task, redact)
    const session: Session = row.goneMs === undefined ? row.session : { ...row.session, goneMs: row.goneMs }
    return { session, items: store.messages(task.artifact.path) }
  }
  return Object.assign(read, {
    has: (path: string) => rowOf(path) !== undefined,
    isGone: (path: string) => rowOf(path)?.goneMs !== undefined,
  })
}
