import { ScrollbackError } from '../../errors.ts'
import { startThread, type Thread } from '../../io/thread.ts'
import type { Item, Session } from '../../model/session.ts'
import type { LibraryOperations, ThreadOptions } from './protocol.ts'
import type {
  HistoryStore,
  Hit,
  MachineOptions,
  SearchResult,
  SessionFilter,
  StoreOptions,
} from './shapes.ts'

/**
 * Opens the store and brings it up to date. Reads only new records of transcripts. Redacts secrets in
 * everything. Fails with a `ScrollbackError` if the store cannot be used. Reports unreadable files to
 * `onNote`. Works in a thread of its own.
 *
 * @example
 * import { openStore } from 'agent-scrollback'
 *
 * await using store = await openStore({ demo: true })
 * const titles = (await Array.fromAsync(store.sessions({ project: 'web' }))).map(({ title }) => title)
 * titles.at(-1) // => 'Product page and cart drawer'
 */
export async function openStore(options: StoreOptions = {}): Promise<HistoryStore> {
  const { run, first, end } = threadFor(options)
  const close = (): Promise<void> => end(closed())
  try {
    await first('open', [])
  } catch (error) {
    await close()
    throw error
  }
  return {
    async refresh() {
      await first('refresh', [])
    },
    sessions: (filter = {}) => run('sessions', [filter]),
    messages: (session) => run('messages', [typeof session === 'string' ? session : { path: session.path }]),
    async search(query, wanted = {}) {
      const answer = run('search', [query, wanted])
      const { value: sums } = await answer.next()
      // The thread can release them once they have arrived.
      const hits = Array.fromAsync(answer) as Promise<Hit[]>
      hits.catch(() => {})
      return {
        ...(sums as Pick<SearchResult, 'total' | 'more'>),
        hits: {
          async *[Symbol.asyncIterator]() {
            yield* await hits
          },
        },
      }
    },
    async stats(wanted = {}) {
      return (await first('stats', [wanted]))!
    },
    async evidence(wanted = {}) {
      return (await first('evidence', [wanted]))!
    },
    close,
    [Symbol.dispose]: () => void close(),
    [Symbol.asyncDispose]: close,
  }
}

/**
 * How `readSession` reads a transcript, and where it finds one.
 *
 * @example
 * import { type ReadSessionOptions, readSession } from 'agent-scrollback'
 *
 * const options: ReadSessionOptions = { demo: true, redact: true }
 * const { value } = await readSession('640ab4c7', options).next()
 * value?.line // => 1
 */
export interface ReadSessionOptions extends MachineOptions {
  /** False leaves secrets in the result. */
  redact?: boolean
}

/**
 * Yields the items of one transcript in order. The transcript is named by a path, an id, or a prefix of an id
 * with at least four characters. Stores nothing. Fails with `no-session` or `several-sessions`, or with the
 * system's error if the file cannot be read.
 *
 * @example
 * import { readSession } from 'agent-scrollback'
 *
 * const items = await Array.fromAsync(readSession('640ab4c7', { demo: true }))
 * items.map(({ who }) => who).slice(0, 4) // => ['human', 'agent', 'human', 'agent']
 */
export async function* readSession(
  pathOrId: string,
  options: ReadSessionOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const { redact = true, ...machine } = options
  const { run, end } = threadFor(machine)
  try {
    yield* run('readSession', [pathOrId, redact])
  } finally {
    await end(closed())
  }
}

/**
 * Yields the sessions of this machine, newest first. Keeps a store in memory and writes nothing. `openStore`
 * is faster the second time.
 *
 * @example
 * import { findSessions } from 'agent-scrollback'
 *
 * const agents = await Array.fromAsync(findSessions({ demo: true, kind: 'subagent' }))
 * const tasks = agents.map(({ subagent }) => subagent?.description)
 * tasks // => ['find slow queries', undefined, 'Find stock races']
 */
export async function* findSessions(
  options: MachineOptions & SessionFilter = {},
): AsyncGenerator<Session, void, undefined> {
  const { project, platform, agent, kind, since, until, ...machine } = options
  const { run, end } = threadFor(machine)
  try {
    yield* run('findSessions', [{ project, platform, agent, kind, since, until }])
  } finally {
    await end(closed())
  }
}

/** The script of the thread: next to this one, in the sources and in the bundle. */
const script = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './library-worker.js', import.meta.url)

/** Starts a thread that works for the library, so that the host's own thread stays free. */
function threadFor({ onNote, env = {}, ...options }: StoreOptions): Thread<LibraryOperations> {
  return startThread(
    script(),
    {
      workerData: options satisfies ThreadOptions,
      // A copy, without the variables of the host unless they are given.
      env: { ...env },
      name: 'scrollback',
    },
    (message) => onNote?.(message as string),
  )
}

const closed = (): ScrollbackError =>
  new ScrollbackError('bad-option', 'The store was closed.', 'Open it again with openStore().')
