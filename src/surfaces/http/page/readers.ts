import type { Parameters, ReaderSettings } from './protocol.ts'
import { questions } from './questions.ts'
import { type ReadingThread, type Reply, startThread } from './thread.ts'

/** A thread for long questions ends when it had none for so long, in ms. */
const IDLE_MS = 60_000

/** The threads that answer questions: one for most, and one for those that take long. */
export interface Readers {
  has(name: string): boolean
  ask(name: string, given: Parameters | { body: unknown }, stop: AbortSignal): Promise<Reply>
  end(): Promise<void>
}

export function createReaders(settings: ReaderSettings): Readers {
  const usual = startThread(settings)
  let long: { thread: ReadingThread; asked: number; timer?: NodeJS.Timeout } | undefined
  return {
    has: (name) => questions.has(name),
    ask(name, given, stop) {
      return questions.get(name)!.isLong ? askLong(name, given, stop) : usual.ask(name, given, stop)
    },
    async end() {
      clearTimeout(long?.timer)
      await Promise.all([usual.end(), long?.thread.end()])
    },
  }

  async function askLong(...asked: Asked): Promise<Reply> {
    long ??= { thread: startThread(settings), asked: 0 }
    const own = long
    clearTimeout(own.timer)
    own.asked++
    try {
      return await own.thread.ask(...asked)
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

type Asked = globalThis.Parameters<ReadingThread['ask']>
