import type { FreshStore, Indexing, ReadingContext } from '../commands/kit/context.ts'
import { freshenInSteps, indexFile } from '../commands/kit/fresh-store.ts'

/** After this much work in ms, questions are answered. */
const TURN_MS = 30
/** The least interval between two reports, in ms. */
const REPORT_MS = 250
/** If another process is indexing, this is how long to wait before trying again, in ms. */
const RETRY_MS = 1000

/** How far indexing is. */
export type IndexProgress =
  | ({ version: 1 } & Pick<Indexing, 'files' | 'bytes' | 'messages'>)
  | { version: 1; done: true }

export interface BackgroundIndex {
  state: Indexing
  stop(): void
}

interface Listener {
  /** Something was written. Called at most every quarter of a second. */
  advanced(progress: IndexProgress): void
  /** Everything is indexed, or that failed: then without the result. */
  ended(found: FreshStore['found'] | undefined): void
}

/** Brings the store up to date in steps, so that this thread can answer questions in between. */
export function indexInBackground(
  store: FreshStore['store'],
  context: ReadingContext,
  { files, bytes }: { files: number; bytes: number },
  { advanced, ended }: Listener,
): BackgroundIndex {
  const state: Indexing = {
    files: { done: 0, all: files },
    bytes: { done: 0, all: bytes },
    indexNow: (path) => indexFile(store, path, context),
  }
  const progress = {
    start(_: string, total: number, unit?: 'messages') {
      if (unit) state.messages = { done: 0, all: total }
    },
    stop() {},
    advance(more: number) {
      if (state.messages) state.messages.done += more
      else {
        state.files.done++
        state.bytes.done += more
      }
    },
  }
  const begin = () => freshenInSteps(store, { ...context, progress }, {})
  let work = begin()
  let reportedAt = 0
  let next: NodeJS.Immediate | NodeJS.Timeout = setImmediate(turn)
  return {
    state,
    stop() {
      clearImmediate(next as NodeJS.Immediate)
      clearTimeout(next as NodeJS.Timeout)
      work.return(undefined)
    },
  }

  function turn(): void {
    const until = performance.now() + TURN_MS
    try {
      let step = work.next()
      while (!step.done && performance.now() < until) step = work.next()
      if (!step.done) {
        report()
        next = setImmediate(turn)
      } else if (step.value) ended(step.value)
      else {
        work = begin()
        next = setTimeout(turn, RETRY_MS)
      }
    } catch {
      // The next question fails with the same error, and says so.
      ended(undefined)
    }
  }

  function report(): void {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    const { files, bytes, messages } = state
    advanced({ version: 1, files, bytes, ...(messages && { messages }) })
  }
}
