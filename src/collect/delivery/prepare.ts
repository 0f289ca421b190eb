import { readRecords } from './read-records.ts'
import { readWhole } from './read-whole.ts'
import type { SliceResult, SliceTask } from './slice.ts'

/** The next records of a source as envelopes. A source that cannot be read is told, and the others go on. */
export function prepareSlice(task: SliceTask, faultOf: (error: unknown) => string): SliceResult {
  try {
    return task.source.row.mode === 'whole' ? readWhole(task) : readRecords(task)
  } catch (error) {
    return { path: task.source.path, fault: faultOf(error) }
  }
}
