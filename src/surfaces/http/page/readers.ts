import { startThread, type Thread } from '../../../io/thread.ts'
import { endpoints, type Given, type Head, type ReaderEvent, type ReaderSettings } from './protocol.ts'
import type { createReader } from './reader.ts'

/** A thread for long questions ends when it had none for so long, in ms. */
const IDLE_MS = 60_000

/** The threads that answer questions: one for most, and one for those that take long. */
export interface Readers {
  /** The method of an endpoint. Undefined if there is none with this name. */
  methodOf(name: string): 'GET' | 'POST' | undefined
  ask(name: string, given: Given, stop: AbortSignal): Promise<Reply>
  /** Gets ready for the first question. */
  lookAhead(): void
  /** Follows the disk, or stops doing so. */
  watch(on: boolean): void
  end(): Promise<void>
}

/** `fault` is called with what is wrong with the program itself. */
export function createReaders(
  settings: ReaderSettings,
  onEvent: (event: ReaderEvent) => void,
  fault: (message: string) => void,
): Readers {
  const heard = (event: ReaderEvent): void => (event.name === 'fault' ? fault(event.data) : onEvent(event))
  const usual = startReader(settings, heard)
  let long: { thread: ReadingThread; asked: number; timer?: NodeJS.Timeout } | undefined
  return {
    methodOf(name) {
      const endpoint = endpoints.get(name)
      return endpoint && (endpoint.writes ? 'POST' : 'GET')
    },
    ask(name, given, stop) {
      return endpoints.get(name)!.isLong ? askLong(name, given, stop) : answerOf(usual, name, given, stop)
    },
    lookAhead() {
      usual.first('lookAhead', []).catch(() => {})
    },
    watch(on) {
      usual.first('watch', [on]).catch((error: unknown) => error === ENDED || fault(String(error)))
    },
    async end() {
      clearTimeout(long?.timer)
      await Promise.all([usual.end(ENDED), long?.thread.end(ENDED)])
    },
  }

  async function askLong(name: string, given: Given, stop: AbortSignal): Promise<Reply> {
    long ??= { thread: startReader({ ...settings, indexes: false }, heard), asked: 0 }
    const own = long
    clearTimeout(own.timer)
    own.asked++
    try {
      return await answerOf(own.thread, name, given, stop)
    } finally {
      own.asked--
      if (own.asked === 0)
        own.timer = setTimeout(() => {
          long = undefined
          void own.thread.end(ENDED)
        }, IDLE_MS).unref()
    }
  }
}

const ENDED = new Error('the reading thread was ended')

/** The script of the thread: next to this one, in the sources and in the bundle. */
const script = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './page-worker.js', import.meta.url)

/** The answer to a question. */
export interface Reply extends Head {
  /** The first part, and the others if there are more. They can be consumed once. */
  first: Uint8Array
  rest?: AsyncGenerator<Uint8Array, void>
}

type ReadingThread = Thread<Omit<ReturnType<typeof createReader>, 'close'>>

const startReader = (settings: ReaderSettings, onEvent: (event: ReaderEvent) => void): ReadingThread =>
  startThread(
    script(),
    {
      workerData: settings,
      name: 'scrollback-reader',
      // By default, V8 lets it grow by a hundred megabytes before it collects what short answers leave.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    },
    (event) => onEvent(event as ReaderEvent),
  )

/** Asks a question. Rejects if the thread ends. Aborting `stop` cancels it. */
async function answerOf(
  thread: ReadingThread,
  name: string,
  given: Given,
  stop: AbortSignal,
): Promise<Reply> {
  const parts = thread.run('ask', [name, given], stop)
  const { value } = await parts.next()
  const { head, bytes, last } = value!
  if (!last) return { ...head!, first: bytes, rest: restOf(parts) }
  await parts.return()
  return { ...head!, first: bytes }
}

async function* restOf(parts: ReturnType<ReadingThread['run']>): AsyncGenerator<Uint8Array, void> {
  for await (const { bytes } of parts) yield bytes
}
