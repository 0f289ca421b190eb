import type { Item, Session } from '../model/session.ts'
import type { Store, StoredSession } from '../store/store.ts'
import { readFromFile, type TranscriptReader } from './read-job.ts'

/** Reads transcripts out of the store; files it does not know are read themselves. */
export type StoreReader = TranscriptReader & {
  has(path: string): boolean
  isGone(path: string): boolean
  /** Of a session that would fill memory: its messages page by page. Undefined for any other. */
  pages(path: string): Iterable<{ session: Session; items: Item[] }> | undefined
}

/** Lines of a session that is read in pages, and messages of a page. */
const MANY_LINES = 20_000
const PAGE = 2000

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
    pages(path: string) {
      const row = rowOf(path)
      return row && row.session.lines > MANY_LINES ? pagesOf(store, row.session) : undefined
    },
  })
}

/** Each page ends with a line, so that what stands on one line stays together. */
function* pagesOf(store: Store, session: Session): Generator<{ session: Session; items: Item[] }> {
  for (let line = 1; ; ) {
    const items = store.messages(session.path, { line, count: PAGE })
    const last = items.at(-1)?.line ?? line
    const whole = items.length < PAGE ? items : items.filter((item) => item.line < last)
    yield { session, items: whole.length > 0 ? whole : items }
    if (items.length < PAGE) return
    line = whole.length > 0 ? last : last + 1
  }
}
