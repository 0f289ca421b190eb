import { inOrder } from '../../collect/pool.ts'
import type { Artifact } from '../../model/artifact.ts'
import { counted } from '../../render/table.ts'
import type { ReadingContext } from './context.ts'
import { threadsFor, workerUrl } from './threads.ts'

interface Searched {
  path: string
  /** The number of lines that were too long to search. */
  tooLong: number
}

interface FileSearch<Found extends Searched, Settings> {
  job: string
  settings: Settings
  run(artifact: Artifact): Found | { path: string; fault: string }
}

/**
 * Searches files on all threads and yields the results in the order of the files. Reports progress,
 * unreadable files, and lines that are too long.
 */
export function* searchFiles<Found extends Searched, Settings>(
  artifacts: readonly Artifact[],
  { job, settings, run }: FileSearch<Found, Settings>,
  context: ReadingContext,
): Generator<{ artifact: Artifact; found: Found }> {
  const threads = threadsFor(artifacts, context.threads)
  const bytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0)
  let index = 0
  context.progress?.start('Searching', bytes)
  for (const found of inOrder<Artifact, Found | { path: string; fault: string }>({
    tasks: artifacts,
    run,
    threads,
    worker: threads > 1 ? workerUrl() : undefined,
    settings: { job, settings },
  })) {
    const artifact = artifacts[index++]!
    context.progress?.advance(artifact.bytes)
    if ('fault' in found) {
      context.note(`${found.path} ${found.fault}`, 'partly')
      continue
    }
    if (found.tooLong > 0)
      context.note(`${found.path}: ${counted(found.tooLong, 'line')} too long to search`, 'partly')
    yield { artifact, found }
  }
  context.progress?.stop()
}
