import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Answer, Request, Task, ThreadData } from './protocol.ts'

/** The script of the thread: next to this one, in the sources and in the bundle. */
const script = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './clickhouse-worker.js', import.meta.url)

/** How long one answer may take. The client of the thread gives up earlier. */
const PATIENCE_MS = 330_000

/** A thread that answers while this one waits. */
interface AnsweringThread {
  /** Waits for the answer. Undefined if there is none in time. */
  ask(connection: number, task: Task): Answer | undefined
}

let shared: AnsweringThread | undefined
let connections = 0

/** The one thread of this process for all connections. It does not keep the process alive. */
export function answeringThread(): AnsweringThread {
  shared ??= start()
  return shared
}

/** A number for a new connection. */
export const nextConnection = (): number => ++connections

function start(): AnsweringThread {
  const { port1: own, port2: other } = new MessageChannel()
  const buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const signal = new Int32Array(buffer)
  const worker = new Worker(script(), {
    workerData: { signal: buffer } satisfies ThreadData,
    // The user's settings for proxies and certificates do not concern the thread.
    env: {},
    name: 'clickhouse',
  })
  worker.postMessage({ port: other }, [other])
  worker.unref()
  own.unref()
  let ids = 0
  return {
    ask(connection, task) {
      const id = ++ids
      own.postMessage({ id, connection, task } satisfies Request)
      const until = Date.now() + PATIENCE_MS
      for (;;) {
        const seen = Atomics.load(signal, 0)
        const answer = receiveMessageOnPort(own)?.message as Answer | undefined
        if (answer?.id === id) return answer
        if (answer) continue
        const left = until - Date.now()
        if (left <= 0) return undefined
        Atomics.wait(signal, 0, seen, left)
      }
    },
  }
}
