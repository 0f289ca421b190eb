import { parentPort, type Worker } from 'node:worker_threads'
import { createThread } from '../../io/process.ts'
import { readRecords, readWhole } from './read-records.ts'
import type { SliceResult, SliceTask } from './slice.ts'

/**
 * Prepares the next records of a source as envelopes. An unreadable source is reported as a fault and does
 * not stop the others.
 */
export function prepareSlice(task: SliceTask, faultOf: (error: unknown) => string): SliceResult {
  try {
    return task.source.row.mode === 'whole' ? readWhole(task) : readRecords(task)
  } catch (error) {
    return { path: task.source.path, fault: faultOf(error) }
  }
}

/** Prepares the envelopes of sources, on other threads if there are several. */
export interface Preparer {
  prepare(task: SliceTask): Promise<SliceResult>
  /** Number of tasks that run at the same time. */
  concurrency: number
  close(): Promise<void>
}

/** Runs everything on this thread. */
export const preparerHere = (faultOf: (error: unknown) => string): Preparer => ({
  prepare: async (task) => prepareSlice(task, faultOf),
  concurrency: 1,
  close: async () => {},
})

interface Asked {
  task: SliceTask
  resolve(result: SliceResult): void
  reject(error: unknown): void
}

/** Runs tasks on other threads. If a thread ends, its task fails with an error and is not retried. */
export function preparerOnThreads(script: URL, threads: number): Preparer {
  const waiting: Asked[] = []
  const busy = new Map<Worker, Asked>()
  const workers = Array.from({ length: threads }, start)
  const idle = [...workers]
  return {
    concurrency: threads,
    prepare: (task) =>
      new Promise((resolve, reject) => {
        waiting.push({ task, resolve, reject })
        dispatch()
      }),
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }

  function start(): Worker {
    const worker = createThread(script, {
      workerData: { settings: { job: 'deliver' } },
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
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
      worker.postMessage(asked.task)
    }
    for (const worker of idle) worker.unref()
  }
}

/** The worker's side. */
export function servePreparing(faultOf: (error: unknown) => string): void {
  parentPort!.on('message', (task: SliceTask) => {
    const result = prepareSlice(task, faultOf)
    const transfer = 'fault' in result ? [] : result.chunks.map(({ bytes }) => bytes.buffer)
    parentPort!.postMessage(result, transfer)
  })
}
