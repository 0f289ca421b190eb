import type { Worker, WorkerOptions } from 'node:worker_threads'
import { type ErrorCode, ScrollbackError } from '../errors.ts'
import { createThread, workerThreads } from './process.ts'

/**
 * What a thread can be asked for, by name. Each operation yields any number of values. `stop` is aborted if
 * they are no longer wanted. Everything but `stop` is plain data.
 */
export type Operations<Names extends string = string> = Record<
  Names,
  // biome-ignore lint/suspicious/noExplicitAny: Each operation has its own parameters.
  (stop: AbortSignal, ...args: any[]) => AsyncGenerator<unknown, void>
>

type ArgumentsOf<Operation> = Operation extends (stop: AbortSignal, ...args: infer Given) => unknown
  ? Given
  : never
type ValueOf<Operation> = Operation extends (...args: never[]) => AsyncGenerator<infer Value, void>
  ? Value
  : never

/** A thread that works for this one. It keeps the process alive only while it is asked for something. */
export interface Thread<Asked extends Operations<keyof Asked & string>> {
  /**
   * Runs an operation, and yields its values as they are taken. Ending the iteration, or aborting `stop`,
   * cancels it. Rejects if it fails, and if the thread ends.
   */
  run<Name extends keyof Asked & string>(
    name: Name,
    args: ArgumentsOf<Asked[Name]>,
    stop?: AbortSignal,
  ): AsyncGenerator<ValueOf<Asked[Name]>, void>
  /** Runs an operation of which only the first value is of interest. Undefined if it yields none. */
  first<Name extends keyof Asked & string>(
    name: Name,
    args: ArgumentsOf<Asked[Name]>,
  ): Promise<ValueOf<Asked[Name]> | undefined>
  /** How many requests wait for values. */
  waiting(): number
  /** Ends the thread. What still runs fails with `reason`. */
  end(reason: Error): Promise<void>
}

/** To the thread: start an operation, request its next values, cancel it, or end. */
type Request =
  | { type: 'start'; id: number; name: string; args: readonly unknown[] }
  | { type: 'next' | 'cancel'; id: number }
  | { type: 'end' }

/** From the thread: values of an operation, its failure, or an event without a request. */
type Answer =
  | { type: 'values'; id: number; values: unknown[]; done: boolean }
  | { type: 'fault'; id: number; fault: SentError }
  | { type: 'event'; event: unknown }

type Values = Extract<Answer, { type: 'values' }>

/** How long a thread may take to end by itself. Ending it while it compiles can end the process with it. */
const GRACE_MS = 3000

/** Starts a thread whose script calls `serveThread`. `onEvent` is called with the events that it sends. */
export function startThread<Asked extends Operations<keyof Asked & string>>(
  script: URL,
  options: WorkerOptions,
  onEvent: (event: unknown) => void = () => {},
): Thread<Asked> {
  const worker: Worker = createThread(script, options)
  const waiting = new Map<number, PromiseWithResolvers<Values>>()
  let ids = 0
  let ended: Error | undefined
  worker.unref()
  worker.on('message', (answer: Answer) => {
    if (answer.type === 'event') return onEvent(answer.event)
    const call = waiting.get(answer.id)
    settle(answer.id)
    if (answer.type === 'fault') call?.reject(receivedError(answer.fault))
    else call?.resolve(answer)
  })
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread has ended')))

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

  const post = (request: Request): void => worker.postMessage(request)

  function ask(request: Extract<Request, { id: number }>, stop?: AbortSignal): Promise<Values> {
    if (ended) return Promise.reject(ended)
    if (stop?.aborted) return Promise.reject(stop.reason)
    const call = Promise.withResolvers<Values>()
    const cancel = (): void => {
      settle(request.id)
      call.reject(stop!.reason)
    }
    waiting.set(request.id, call)
    stop?.addEventListener('abort', cancel, { once: true })
    worker.ref()
    post(request)
    return call.promise.finally(() => stop?.removeEventListener('abort', cancel))
  }

  async function* run<Name extends keyof Asked & string>(
    name: Name,
    args: ArgumentsOf<Asked[Name]>,
    stop?: AbortSignal,
  ): AsyncGenerator<ValueOf<Asked[Name]>, void> {
    ids += 1
    const id = ids
    let isDone = false
    try {
      let answer = await ask({ type: 'start', id, name, args }, stop)
      for (;;) {
        isDone = answer.done
        yield* answer.values as ValueOf<Asked[Name]>[]
        if (isDone) return
        answer = await ask({ type: 'next', id }, stop)
      }
    } finally {
      // Canceling what has failed changes nothing.
      if (!isDone && !ended) post({ type: 'cancel', id })
    }
  }

  return {
    run,
    async first(name, args) {
      const values = run(name, args)
      const { value } = await values.next()
      await values.return()
      return value as ValueOf<Asked[typeof name]> | undefined
    },
    waiting: () => waiting.size,
    async end(reason) {
      const isOver = ended !== undefined
      fail(reason)
      if (isOver) return
      worker.ref()
      const late = setTimeout(() => void worker.terminate(), GRACE_MS)
      post({ type: 'end' })
      await gone
      clearTimeout(late)
    },
  }
}

/** How many values a message has at most. Receiving it must not block the other thread. */
const BATCH = 64

/** A value with bytes. They have memory of their own, which is moved to the other thread. */
interface Carrier {
  bytes: Uint8Array<ArrayBuffer>
}

const carries = (value: unknown): value is Carrier =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array

/** Sends an event to the thread that started this one. */
export const sendEvent = (event: unknown): void => post({ type: 'event', event })

const post = (answer: Answer, moved: ArrayBuffer[] = []): void =>
  workerThreads().parentPort!.postMessage(answer, moved)

/**
 * The other side: answers until it is asked to end, and then calls `close`. Values are sent 64 at a time; one
 * with `bytes` is sent at once, and its bytes are moved.
 */
export function serveThread<Names extends string>(
  operations: Operations<Names>,
  close = (): void => {},
): void {
  const { parentPort } = workerThreads()
  const running = new Map<number, { values: AsyncGenerator<unknown, void>; stop: AbortController }>()

  parentPort!.on('message', (request: Request) => {
    if (request.type === 'end') {
      for (const { stop } of running.values()) stop.abort()
      close()
      // The thread ends when nothing else is left to do.
      parentPort!.close()
    } else if (request.type === 'cancel') {
      const operation = running.get(request.id)
      running.delete(request.id)
      operation?.stop.abort()
      operation?.values.return().catch(() => {})
    } else {
      if (request.type === 'start') {
        const stop = new AbortController()
        const values = Reflect.apply(operations[request.name as Names], undefined, [
          stop.signal,
          ...request.args,
        ])
        running.set(request.id, { values, stop })
      }
      void answer(request.id)
    }
  })

  async function answer(id: number): Promise<void> {
    const operation = running.get(id)
    if (!operation) return
    const values: unknown[] = []
    let done = false
    try {
      while (values.length < BATCH && !done && !carries(values.at(-1))) {
        const next = await operation.values.next()
        if (next.done) done = true
        else values.push(next.value)
      }
    } catch (error) {
      running.delete(id)
      return post({ type: 'fault', id, fault: sentError(error) })
    }
    if (done) running.delete(id)
    post(
      { type: 'values', id, values, done },
      values.filter(carries).map(({ bytes }) => bytes.buffer),
    )
  }
}

/** An error in a form that can cross threads. */
interface SentError {
  message: string
  stack?: string
  /** The fields of a ScrollbackError. */
  scrollback?: { code: ErrorCode; wayOut?: string; matches?: readonly string[] }
  /** The code of a system error: `ENOENT`. */
  code?: string
}

/** Converts an error to a message for another thread, which would lose its class. */
function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack } = error
  if (!(error instanceof ScrollbackError))
    return { message, stack, code: (error as NodeJS.ErrnoException).code }
  const { code, wayOut, matches } = error
  return { message, stack, scrollback: { code, wayOut, matches } }
}

/** Restores the error. */
function receivedError({ message, stack, scrollback, code }: SentError): Error {
  const error = scrollback
    ? Object.assign(
        new ScrollbackError(scrollback.code, message, scrollback.wayOut),
        scrollback.matches && { matches: scrollback.matches },
      )
    : Object.assign(new Error(message), code === undefined ? {} : { code })
  return Object.assign(error, stack === undefined ? {} : { stack })
}
