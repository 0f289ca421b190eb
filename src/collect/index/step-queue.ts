import { collectGarbage } from '../../io/process.ts'
import type { Survey } from '../discover.ts'
import type { Step } from './plan.ts'

/** Artifacts of more files take noticeable memory. */
const MANY_FILES = 5000

/** A step in the queue. That of a new file is only the index of its artifact, until its turn comes. */
export type Waiting = {
  /** As `costOf` counts them. */
  bytes: number
  moved: boolean
  modifiedMs: number
  path: string
} & ({ step: Step } | { index: number })

/**
 * Renamed files first, because another file may have taken the old path. Then oldest first, so that rows are
 * in order of time.
 */
const inTime = (a: Waiting, b: Waiting): number =>
  Number(b.moved) - Number(a.moved) || a.modifiedMs - b.modifiedMs || (a.path < b.path ? -1 : 1)

/**
 * Takes all steps out of the list and sorts them. Frees the artifacts of many new files: 100,000 take 40 MB,
 * and only a few are needed at a time.
 */
export function queueSteps(steps: Step[], found: Survey): Waiting[] {
  const many = steps.length > MANY_FILES
  const indexes = new Map(many ? found.artifacts.map((artifact, index) => [artifact, index]) : [])
  const queue = steps.map((step): Waiting => {
    const { artifact, known, moved } = step
    const facts = { bytes: costOf(step), moved, modifiedMs: artifact.modifiedMs, path: artifact.path }
    const index = known ? undefined : indexes.get(artifact)
    return index === undefined ? { ...facts, step } : { ...facts, index }
  })
  steps.length = 0
  if (many) {
    indexes.clear()
    found.freeArtifacts()
    collectGarbage()
  }
  return queue.sort(inTime)
}

/** The step itself. */
export const stepOf = (waiting: Waiting, found: Survey): Step =>
  'step' in waiting ? waiting.step : { artifact: found.artifactAt(waiting.index), moved: false, again: false }

/** Approximate number of new bytes, which determines the cost of a step. */
export const costOf = ({ artifact, known, again }: Step): number =>
  again || !known ? artifact.bytes : Math.max(0, artifact.bytes - known.checkpoint.offset)
