import { workerData } from 'node:worker_threads'
import { workOff } from '../collect/pool.ts'
import type { IncrementTask } from '../collect/read-increment.ts'
import { incrementOf } from '../collect/refresh.ts'
import type { Artifact } from '../model/artifact.ts'
import { faultOf, indexOne } from './index-job.ts'
import { type ReadSettings, type ReadTask, readOne } from './read-job.ts'

/** What a second thread is asked to do. */
export type WorkerSettings =
  | { job: 'index'; redact: boolean }
  | { job: 'increment' }
  | { job: 'read'; settings: ReadSettings }

workOff(workerData, (given) => {
  const wanted = given as WorkerSettings
  if (wanted.job === 'increment') return (task) => incrementOf(task as IncrementTask, faultOf)
  if (wanted.job === 'index') return (task) => indexOne(task as Artifact, wanted.redact)
  return (task) => readOne(task as ReadTask, wanted.settings)
})
