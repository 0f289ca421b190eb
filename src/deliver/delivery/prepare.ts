import { startThread } from '../../io/thread.ts'
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

/** What a thread that prepares can be asked for. */
export const preparing = (faultOf: (error: unknown) => string) => ({
  async *prepare(_: AbortSignal, task: SliceTask): AsyncGenerator<SliceResult, void> {
    yield prepareSlice(task, faultOf)
  },
})

/** Runs tasks on other threads. If a thread ends, its tasks fail with an error and are not retried. */
export function preparerOnThreads(script: URL, threads: number): Preparer {
  const all = Array.from({ length: threads }, () =>
    startThread<ReturnType<typeof preparing>>(script, {
      workerData: { settings: { job: 'deliver' } },
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    }),
  )
  return {
    concurrency: threads,
    async prepare(task) {
      const idlest = all.reduce((best, thread) => (thread.waiting() < best.waiting() ? thread : best))
      return (await idlest.first('prepare', [task]))!
    },
    async close() {
      await Promise.all(all.map((thread) => thread.end(new Error('The delivery has ended.'))))
    },
  }
}
