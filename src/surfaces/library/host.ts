import { Worker } from 'node:worker_threads'
import { ScrollbackError } from '../../errors.ts'
import type { Item, Session } from '../../model/session.ts'
import { type Answer, type Operations, type Request, receivedError, type ThreadOptions } from './protocol.ts'
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
  const { run, end } = startThread(options)
  const close = async (): Promise<void> => {
    await run('close')
      .next()
      .catch(() => {})
    await end()
  }
  try {
    await run('open').next()
  } catch (error) {
    await end()
    throw error
  }
  return {
    async refresh() {
      await run('refresh').next()
    },
    sessions: (filter = {}) => run('sessions', filter),
    messages: (session) => run('messages', typeof session === 'string' ? session : { path: session.path }),
    async search(query, wanted = {}) {
      const answer = run('search', query, wanted)
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
      const { value } = await run('stats', wanted).next()
      return value!
    },
    async evidence(wanted = {}) {
      const { value } = await run('evidence', wanted).next()
      return value!
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
  const { run, end } = startThread(machine)
  try {
    yield* run('readSession', pathOrId, redact)
  } finally {
    await end()
  }
}

/**
 * Yields the sessions of this machine, newest first, from their transcripts. Stores nothing. `openStore` is
 * faster the second time.
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
  const { run, end } = startThread(machine)
  try {
    yield* run('findSessions', { project, platform, agent, kind, since, until })
  } finally {
    await end()
  }
}

/** The script of the thread: next to this one, in the sources and in the bundle. */
const script = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './library-worker.js', import.meta.url)

type Yielded<Name extends keyof Operations> =
  ReturnType<Operations[Name]> extends AsyncGenerator<infer Value, void> ? Value : never

/** A thread that works for the library, so that the host's own thread stays free. */
interface Thread {
  run<Name extends keyof Operations>(
    name: Name,
    ...args: Parameters<Operations[Name]>
  ): AsyncGenerator<Yielded<Name>, void>
  /** Ends the thread. Running operations fail. */
  end(): Promise<void>
}

/** Starts a thread. It keeps the process alive only while it works. */
function startThread({ onNote, env = {}, ...options }: StoreOptions): Thread {
  const waiting = new Map<number, PromiseWithResolvers<Extract<Answer, { type: 'values' }>>>()
  const worker = new Worker(script(), {
    workerData: options satisfies ThreadOptions,
    // A copy, without the variables of the host unless they are given.
    env: { ...env },
    name: 'scrollback',
  })
  let ids = 0
  let ended: Error | undefined
  worker.on('message', (answer: Answer) => {
    if (answer.type === 'note') return onNote?.(answer.message)
    const call = waiting.get(answer.id)
    settle(answer.id)
    if (answer.type === 'fault') call?.reject(receivedError(answer.fault))
    else call?.resolve(answer)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(closed()))

  function fail(error: Error): void {
    ended ??= error
    for (const [id, call] of waiting) {
      settle(id)
      call.reject(ended)
    }
  }

  function settle(id: number): void {
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  }

  function ask(request: Request): Promise<Extract<Answer, { type: 'values' }>> {
    if (ended) return Promise.reject(ended)
    const call = Promise.withResolvers<Extract<Answer, { type: 'values' }>>()
    waiting.set(request.id, call)
    worker.ref()
    worker.postMessage(request)
    return call.promise
  }

  return {
    async *run(name, ...args) {
      ids += 1
      const id = ids
      let isDone = false
      try {
        let answer = await ask({ id, type: 'start', name, args })
        for (;;) {
          isDone = answer.done
          yield* answer.values as Yielded<typeof name>[]
          if (isDone) return
          answer = await ask({ id, type: 'next' })
        }
      } catch (error) {
        isDone = true
        throw error
      } finally {
        if (!isDone && !ended) worker.postMessage({ id, type: 'return' } satisfies Request)
      }
    },
    async end() {
      fail(closed())
      await worker.terminate()
    },
  }
}

const closed = (): ScrollbackError =>
  new ScrollbackError('bad-option', 'The store was closed.', 'Open it again with openStore().')
