import { parentPort, Worker } from 'node:worker_threads'
import { prepareSlice } from './prepare.ts'
import type { SliceResult, SliceTask } from './slice.ts'

/** Makes envelopes of sources, on other threads where there are several. */
export interface Preparer {
  prepare(task: SliceTask): Promise<SliceResult>
  /** Takes back what a slice was laid out in: nobody looks at it any more. */
  recycle?(room: ArrayBuffer): void
  /** Tasks that are worked at the same time. */
  concurrency: number
  close(): Promise<void>
}

/** All on this thread. */
export const preparerHere = (faultOf: (error: unknown) => string): Preparer => ({
  prepare: async (task) => prepareSlice(task, faultOf),
  concurrency: 1,
  close: async () => {},
})

/** One long line leaves more behind than is worth being kept. */
const LARGEST_ROOM = 16 * 1024 * 1024

interface Asked {
  task: SliceTask
  resolve(result: SliceResult): void
  reject(error: unknown): void
}

/** On so many other threads. A thread that ends takes its task with it, which is then done by none: the fault is thrown. */
export function preparerOnThreads(script: URL, threads: number): Preparer {
  const waiting: Asked[] = []
  const idle: Worker[] = []
  const busy = new Map<Worker, Asked>()
  const rooms: ArrayBuffer[] = []
  const workers = Array.from({ length: threads }, start)
  idle.push(...workers)
  return {
    concurrency: threads,
    prepare: (task) =>
      new Promise((resolve, reject) => {
        waiting.push({ task, resolve, reject })
        dispatch()
      }),
    recycle(room) {
      if (rooms.length < threads && room.byteLength <= LARGEST_ROOM) rooms.push(room)
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }

  function start(): Worker {
    const worker = new Worker(script, {
      workerData: { settings: { job: 'deliver' } },
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    worker.unref()
    worker.on('message', (result: SliceResult) => {
      const asked = busy.get(worker)
      busy.delete(worker)
      idle.push(worker)
      asked?.resolve(result)
      dispatch()
    })
    worker.on('error', (error) => {
      busy.get(worker)?.reject(error)
      busy.delete(worker)
    })
    return worker
  }

  function dispatch(): void {
    while (waiting.length > 0 && idle.length > 0) {
      const worker = idle.pop()!
      const asked = waiting.shift()!
      busy.set(worker, asked)
      worker.ref()
      const room = rooms.pop()
      worker.postMessage({ ...asked.task, room }, room ? [room] : [])
    }
    for (const worker of idle) worker.unref()
  }
}

/** The other side. */
export function servePreparing(faultOf: (error: unknown) => string): void {
  parentPort!.on('message', (task: SliceTask) => {
    const result = prepareSlice(task, faultOf)
    const transfer = 'bytes' in result ? [result.bytes.buffer] : []
    parentPort!.postMessage(result, transfer)
  })
}
