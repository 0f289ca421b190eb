import { existsSync } from 'node:fs'
import type { Artifact } from '../../model/artifact.ts'
import type { Item, Session } from '../../model/session.ts'
import type { SessionLinks } from '../../model/session-links.ts'
import { counted } from '../../render/table.ts'
import type { Messages, Sessions, Writer } from '../../store/store.ts'
import type { StoredSession } from '../../store/stored.ts'
import type { ReadingContext } from '../kit/context.ts'
import { type ReadTask, readFromFile, type TranscriptReader } from './job.ts'

/** Reads transcripts from the store. Files that the store does not know are read directly. */
export type StoreReader = TranscriptReader & {
  has(path: string): boolean
  isGone(path: string): boolean
  /** The machine of the file, in a team store. */
  deviceOf(path: string): string | undefined
  /** What other sessions reveal about a file. */
  links(path: string): SessionLinks | undefined
  /** The messages of a session that would fill memory, page by page. Undefined for any other session. */
  pages(path: string): Iterable<{ session: Session; items: Item[] }> | undefined
  /** What the client has cut off an existing file, with its session row. Undefined if nothing was cut. */
  cut(task: ReadTask): { session: Session; items: Item[] } | undefined
}

/** A stored session, in slices. */
type Slices = Iterable<{ session: Session; items: Item[] }>

/**
 * Returns a function that reads a session whose file is gone. It returns undefined for any other session,
 * which is read from its file. With `full`, a note says that the details are lost with the file.
 */
export function createStoredSlices(
  context: ReadingContext,
): (artifact: Artifact, full: boolean) => Slices | undefined {
  const stored = context.fresh && storeReader(context.fresh.store)
  return (artifact, full) => {
    const { path, database } = artifact
    if (!stored?.has(path) || (!stored.isGone(path) && existsSync(database ?? path))) return undefined
    if (full) {
      const device = stored.deviceOf(path)
      context.note(
        device === undefined
          ? `${path} is gone. All messages and tool targets are shown from the store. Tool input, tool output and thinking are lost with the file.`
          : `This transcript is on ${device}. All messages and tool targets are shown from the team store. Tool input, tool output and thinking are only in the file: run the command there.`,
      )
    }
    return stored.pages(path) ?? [stored({ artifact }, { redact: context.redact, usage: true })]
  }
}

/** A session with more lines than this is read in pages of so many messages. */
const MANY_LINES = 20_000
const PAGE = 2000

const readers = new WeakMap<Readable, StoreReader>()

/** What reading sessions needs of a store. */
type Readable = Messages & Sessions & Pick<Writer, 'known'>

/** The reader of a store. A command shares one, because it loads the list of sessions once. */
export function storeReader(store: Readable): StoreReader {
  const reader = readers.get(store) ?? createStoreReader(store)
  readers.set(store, reader)
  return reader
}

function createStoreReader(store: Readable): StoreReader {
  let rows: Map<string, StoredSession> | undefined
  const rowOf = (path: string): StoredSession | undefined => {
    rows ??= new Map(store.sessions().map((each) => [each.session.path, each]))
    return rows.get(path)
  }
  let known: ReturnType<Readable['known']> | undefined
  const read: TranscriptReader = (task, needs) => {
    const row = rowOf(task.artifact.path)
    if (!row) return readFromFile(task, needs)
    const items = store.messages(task.artifact.path, undefined, needs)
    return { session: sessionOf(row), items: [...(cut(task)?.items ?? []), ...items] }
  }
  const cut: StoreReader['cut'] = ({ artifact, line }) => {
    const session = rowOf(artifact.path)?.session
    // A requested line is a line of the file.
    if (!session?.cut || line !== undefined) return undefined
    return { session, items: cutItems(store, session) }
  }
  return Object.assign(read, {
    cut,
    has: (path: string) => rowOf(path) !== undefined,
    links(path: string) {
      known ??= store.known()
      return known.get(path)?.artifact.links
    },
    isGone: (path: string) => rowOf(path)?.goneMs !== undefined,
    deviceOf: (path: string) => rowOf(path)?.session.device,
    pages(path: string) {
      const row = rowOf(path)
      return row && row.session.lines > MANY_LINES ? pagesOf(store, sessionOf(row)) : undefined
    },
  })
}

/** What was indexed of the part that the client has cut off, and a marker that says so. */
export function cutItems(store: Messages, session: Session): Item[] {
  const cut: Item[] = store.cutMessages(session.path)
  const text = `up to here from the index: the client has cut ${counted(cut.length, 'message')} off its file`
  if (cut.length > 0)
    cut.push({ who: 'marker', marker: 'note', text, line: 1, offset: 0, length: 0, order: 0 })
  return cut
}

const sessionOf = ({ session, goneMs }: StoredSession): Session =>
  goneMs === undefined ? session : { ...session, goneMs }

/** Each page ends with a line, so that the items of a line stay together. */
function* pagesOf(store: Messages, session: Session): Generator<{ session: Session; items: Item[] }> {
  if (session.cut) yield { session, items: cutItems(store, session) }
  for (let line = 1; ; ) {
    const items = store.messages(session.path, { line, count: PAGE })
    const last = items.at(-1)?.line ?? line
    const whole = items.length < PAGE ? items : items.filter((item) => item.line < last)
    yield { session, items: whole.length > 0 ? whole : items }
    if (items.length < PAGE) return
    line = whole.length > 0 ? last : last + 1
  }
}
