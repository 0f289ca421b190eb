import type { SliceResult, SliceTask } from '../slice.ts'
import { readRecords } from './read-records.ts'
import { readWhole } from './read-whole.ts'

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
