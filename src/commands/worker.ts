import { workerData } from 'node:worker_threads'
import { workOff } from '../collect/pool.ts'
import type { IncrementTask } from '../collect/read-increment.ts'
import { incrementOf } from '../collect/refresh.ts'
import type { Artifact } from '../model/artifact.ts'
import { faultOf, indexOne } from './index-job.ts'
import { type ReadSettings, type ReadTask, readOne } from './read-job.ts'
import { createOutputSearch, type OutputSettings } from './search-outputs-job.ts'
import { createSecretSearch, type SecretSettings } from './secrets-job.ts'

/** What a second thread is asked to do. */
export type WorkerSettings =
  | { job: 'index'; redact: boolean }
  | { job: 'increment' }
  | { job: 'read'; settings: ReadSettings }
  | { job: 'outputs'; settings: OutputSettings }
  | { job: 'secrets'; settings: SecretSettings }

workOff(workerData, (given) => {
  const wanted = given as WorkerSettings
  if (wanted.job === 'increment') return (task) => incrementOf(task as IncrementTask, faultOf)
  if (wanted.job === 'index') return (task) => indexOne(task as Artifact, wanted.redact)
  if (wanted.job === 'outputs') {
    const search = createOutputSearch(wanted.settings)
    return (task) => search(task as Artifact)
  }
  if (wanted.job === 'secrets') {
    const search = createSecretSearch(wanted.settings)
    return (task) => search(task as Artifact)
  }
  return (task) => readOne(task as ReadTask, wanted.settings)
})
