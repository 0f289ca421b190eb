import { existsSync } from 'node:fs'
import type { Artifact } from '../model/artifact.ts'
import type { Item, Session } from '../model/session.ts'
import type { Store, StoredSession } from '../store/store.ts'
import type { Context } from './command.ts'
import { readFromFile, type TranscriptReader } from './read-job.ts'

/** Reads transcripts out of the store; files it does not know are read themselves. */
export type StoreReader = TranscriptReader & {
  has(path: string): boolean
  isGone(path: string): boolean
  /** Of a session that would fill memory: its messages page by page. Undefined for any other. */
  pages(path: string): Iterable<{ session: Session; items: Item[] }> | undefined
}

/** What the store kept of a session, in slices. */
type Slices = Iterable<{ session: Session; items: Item[] }>

/**
 * Finds what is kept of sessions whose file is not there any more; undefined for any other, which is read from its file. `full`: details
 * were asked for, and a note tells that they went with the file.
 */
export function createKept(context: Context): (artifact: Artifact, full: boolean) => Slices | undefined {
  const stored = context.fresh && createStoreReader(context.fresh.store)
  return (artifact, full) => {
    const { path, database } = artifact
    if (!stored?.has(path) || (!stored.isGone(path) && existsSync(database ?? path))) return undefined
    if (full)
      context.note(
        `${path} is gone: told is what was kept of it, all words and what tools were used on. What tools were given and gave back, and thinking, went with the file.`,
      )
    return stored.pages(path) ?? [stored({ artifact }, context.redact)]
  }
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
    return { session: sessionOf(row), items: store.messages(task.artifact.path) }
  }
  return Object.assign(read, {
    has: (path: string) => rowOf(path) !== undefined,
    isGone: (path: string) => rowOf(path)?.goneMs !== undefined,
    pages(path: string) {
      const row = rowOf(path)
      return row && row.session.lines > MANY_LINES ? pagesOf(store, sessionOf(row)) : undefined
    },
  })
}

const sessionOf = ({ session, goneMs }: StoredSession): Session =>
  goneMs === undefined ? session : { ...session, goneMs }

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
