import { createThread } from '../../../io/process.ts'
import {
  endpoints,
  type Given,
  type Head,
  type Message,
  type ReaderSettings,
  type Request,
} from './protocol.ts'

/** A thread for long questions ends when it had none for so long, in ms. */
const IDLE_MS = 60_000

/** The threads that answer questions: one for most, and one for those that take long. */
export interface Readers {
  /** The method of an endpoint. Undefined if there is none with this name. */
  methodOf(name: string): 'GET' | 'POST' | undefined
  ask(name: string, given: Given, stop: AbortSignal): Promise<Reply>
  /** Follows the disk, or stops doing so. */
  watch(on: boolean): void
  end(): Promise<void>
}

/** `onEvent` is called with what happens while the disk is followed. */
export function createReaders(
  settings: ReaderSettings,
  onEvent: (name: string, data: string) => void,
): Readers {
  const pass = ({ name, data }: Exclude<Message, Part>): void => onEvent(name, data)
  const usual = startThread(settings, pass)
  let long: { thread: ReadingThread; asked: number; timer?: NodeJS.Timeout } | undefined
  return {
    methodOf(name) {
      const endpoint = endpoints.get(name)
      return endpoint && (endpoint.writes ? 'POST' : 'GET')
    },
    ask(name, given, stop) {
      return endpoints.get(name)!.isLong ? askLong(name, given, stop) : usual.ask(name, given, stop)
    },
    watch: (on) => usual.watch(on),
    async end() {
      clearTimeout(long?.timer)
      await Promise.all([usual.end(), long?.thread.end()])
    },
  }

  async function askLong(name: string, given: Given, stop: AbortSignal): Promise<Reply> {
    long ??= { thread: startThread({ ...settings, indexes: false }, pass), asked: 0 }
    const own = long
    clearTimeout(own.timer)
    own.asked++
    try {
      return await own.thread.ask(name, given, stop)
    } finally {
      own.asked--
      if (own.asked === 0)
        own.timer = setTimeout(() => {
          long = undefined
          void own.thread.end()
        }, IDLE_MS).unref()
    }
  }
}

/** The script of the thread: next to this one, in the sources and in the bundle. */
const script = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './page-worker.js', import.meta.url)

/** How long a thread may take to end by itself. Ending it while it compiles can end the process with it. */
const GRACE_MS = 3000

/** The answer to a question. */
export interface Reply extends Head {
  /** The first part, and the others if there are more. They can be consumed once. */
  first: Uint8Array
  rest?: AsyncGenerator<Uint8Array, void>
}

type Part = Extract<Message, { type: 'part' }>

/** A thread that reads. */
interface ReadingThread {
  /** Asks a question. Rejects if the thread ends. Aborting `stop` cancels it. */
  ask(name: string, given: Given, stop: AbortSignal): Promise<Reply>
  /** Follows the disk, or stops doing so. */
  watch(on: boolean): void
  end(): Promise<void>
}

function startThread(
  settings: ReaderSettings,
  onEvent: (message: Exclude<Message, Part>) => void,
): ReadingThread {
  const worker = createThread(script(), {
    workerData: settings,
    name: 'scrollback-reader',
    // By default, V8 lets it grow by a hundred megabytes before it collects what short answers leave.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  })
  const waiting = new Map<number, PromiseWithResolvers<Part>>()
  let ids = 0
  let ended: Error | undefined
  worker.on('message', (message: Message) => {
    if (message.type !== 'part') return onEvent(message)
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    call?.resolve(message)
  })
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the reading thread has ended')))

  function fail(error: Error): void {
    ended ??= error
    for (const call of waiting.values()) call.reject(ended)
    waiting.clear()
  }

  const post = (request: Request): void => worker.postMessage(request)

  function next(request: Extract<Request, { id: number }>, stop: AbortSignal): Promise<Part> {
    if (ended) return Promise.reject(ended)
    const call = Promise.withResolvers<Part>()
    const cancel = (): void => {
      if (!waiting.delete(request.id)) return
      if (!ended) post({ type: 'cancel', id: request.id })
      call.reject(stop.reason)
    }
    if (stop.aborted) return Promise.reject(stop.reason)
    waiting.set(request.id, call)
    stop.addEventListener('abort', cancel, { once: true })
    post(request)
    return call.promise.finally(() => stop.removeEventListener('abort', cancel))
  }

  return {
    async ask(name, given, stop) {
      ids += 1
      const id = ids
      const { head, bytes, last } = await next({ type: 'ask', id, name, given }, stop)
      return { ...head!, first: bytes, ...(last ? {} : { rest: rest(id, stop) }) }
    },
    watch(on) {
      if (!ended) post({ type: 'watch', on })
    },
    async end() {
      const isOver = ended !== undefined
      fail(new Error('the reading thread was ended'))
      if (isOver) return
      const late = setTimeout(() => void worker.terminate(), GRACE_MS)
      worker.postMessage({ type: 'end' } satisfies Request)
      await gone
      clearTimeout(late)
    },
  }

  async function* rest(id: number, stop: AbortSignal): AsyncGenerator<Uint8Array, void> {
    let isDone = false
    try {
      while (!isDone) {
        const part = await next({ type: 'more', id }, stop)
        isDone = part.last
        if (part.broken) throw new Error('the answer could not be completed')
        yield part.bytes
      }
    } finally {
      if (!isDone && !ended) post({ type: 'cancel', id })
    }
  }
}
