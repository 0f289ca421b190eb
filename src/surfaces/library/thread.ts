import { Worker } from 'node:worker_threads'
import { ScrollbackError } from '../../errors.ts'
import { receivedError } from './errors.ts'
import type { Answer, Operations, Request, ThreadOptions } from './protocol.ts'
import type { StoreOptions } from './shapes.ts'

/** The script of the thread: next to this one, in the sources and in the bundle. */
const script = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './library-worker.js', import.meta.url)

type Yielded<Name extends keyof Operations> =
  ReturnType<Operations[Name]> extends AsyncGenerator<infer Value, void> ? Value : never

/** A thread that works for the library, so that the host's own thread stays free. */
export interface Thread {
  run<Name extends keyof Operations>(
    name: Name,
    ...args: Parameters<Operations[Name]>
  ): AsyncGenerator<Yielded<Name>, void>
  /** Ends the thread. Running operations fail. */
  end(): Promise<void>
}

/** Starts a thread. It keeps the process alive only while it works. */
export function startThread({ onNote, env = {}, ...options }: StoreOptions): Thread {
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
