import { inOrder } from '../../collect/pool.ts'
import { keepHeapSmall } from '../../io/process/heap.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { ReadingContext } from './context.ts'
import { type Indexed, indexOne } from './index-job.ts'
import { threadsFor, workerUrl } from './threads.ts'

/** With more rows than this, loading the index costs more than reading the requested ones. */
const MANY = 4000

/** Reads the sessions of files, without their messages. The largest files come first. */
export function* readSessions(
  artifacts: readonly Artifact[],
  context: ReadingContext,
): Generator<{ artifact: Artifact; read: Indexed }, void> {
  // Large files first, so that no thread is left alone with one at the end.
  const tasks = [...artifacts].sort((a, b) => b.bytes - a.bytes)
  const threads = threadsFor(tasks, context.threads)
  if (tasks.length > MANY) keepHeapSmall()
  context.progress?.start(
    'Reading',
    tasks.reduce((sum, task) => sum + task.bytes, 0),
  )
  const results = inOrder<Artifact, Indexed>({
    tasks,
    run: (artifact) => indexOne(artifact, context.redact),
    threads,
    worker: threads > 1 ? workerUrl() : undefined,
    settings: { job: 'index', redact: context.redact },
  })
  let index = 0
  for (const read of results) {
    const artifact = tasks[index++]!
    context.progress?.advance(artifact.bytes)
    yield { artifact, read }
  }
  context.progress?.stop()
}
