import type { HistoryStore, Hit, SearchResult, StoreOptions } from './shapes.ts'
import { startThread } from './thread.ts'

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
