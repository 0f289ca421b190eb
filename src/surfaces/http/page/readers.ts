import { endpoints } from './endpoints.ts'
import type { Given, ReaderSettings } from './protocol.ts'
import { type ReadingThread, type Reply, startThread } from './thread.ts'

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

/** `heard` is called with what happens while the disk is followed. */
export function createReaders(
  settings: ReaderSettings,
  heard: (name: string, data: string) => void,
): Readers {
  const usual = startThread(settings, ({ name, data }) => heard(name, data))
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
    long ??= { thread: startThread({ ...settings, indexes: false }), asked: 0 }
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
