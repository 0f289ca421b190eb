import { workerData } from 'node:worker_threads'
import { faultOf } from '../context/read-files.ts'
import { preparing } from '../deliver/delivery/prepare.ts'
import { serveThread } from '../io/thread.ts'
import type { Artifact } from '../model/artifact.ts'
import { type ReadSettings, type ReadTask, readOne } from '../selection/read-messages.ts'
import { workOff } from '../sync/pool.ts'
import type { IncrementTask } from '../sync/read-increment.ts'
import { incrementOf } from '../sync/refresh.ts'
import { createOutputSearch, type OutputSettings } from './search/outputs.ts'
import { createSecretSearch, type SecretSettings } from './secrets/job.ts'

/** The job of a worker thread. */
type WorkerSettings =
  | { job: 'increment' }
  | { job: 'read'; settings: ReadSettings }
  | { job: 'outputs'; settings: OutputSettings }
  | { job: 'secrets'; settings: SecretSettings }
  | { job: 'deliver' }

const { settings } = workerData as { settings: WorkerSettings }
if (settings.job === 'deliver') serveThread(preparing(faultOf))
else workOff(workerData, jobFor)

function jobFor(given: unknown): (task: unknown) => object {
  const wanted = given as WorkerSettings
  // What is folded stays in this thread.
  if (wanted.job === 'increment')
    return (task) => ({ ...incrementOf(task as IncrementTask, faultOf), reading: undefined })
  if (wanted.job === 'outputs') {
    const search = createOutputSearch(wanted.settings)
    return (task) => search(task as Artifact)
  }
  if (wanted.job === 'secrets') {
    const search = createSecretSearch(wanted.settings)
    return (task) => search(task as Artifact)
  }
  if (wanted.job === 'read') return (task) => readOne(task as ReadTask, wanted.settings)
  throw new Error(`no such job: ${wanted.job}`)
}
