import { hash } from 'node:crypto'
import { PARSER_VERSION } from '../../collect/index/read-increment.ts'
import { factsOf } from '../../collect/index/view.ts'
import { sealSession } from '../../collect/read/seal.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { Previews } from '../../store/store.ts'
import type { Preview } from '../../store/stored.ts'
import type { ReadingContext } from './context.ts'
import { readSessions } from './read-sessions.ts'

/** The number of sessions in one transaction. */
const BATCH = 200

/** Changes whenever a file has to be read again. */
const stampOf = (artifact: Artifact): string =>
  hash('sha256', `${PARSER_VERSION} ${factsOf(artifact)}`, 'base64url').slice(0, 22)

/**
 * Stores previews of these files, and reads only those that have none yet. Files that cannot be read are
 * reported when they are indexed.
 */
export function storePreviews(
  store: Previews,
  artifacts: readonly Artifact[],
  context: ReadingContext,
): void {
  const stored = new Map(store.previews().map(({ session, stamp }) => [session.path, stamp]))
  const unread = artifacts.filter((artifact) => stored.get(artifact.path) !== stampOf(artifact))
  let batch: Preview[] = []
  const flush = (): void => {
    if (batch.length > 0) store.writePreviews(batch)
    batch = []
  }
  for (const { artifact, read } of readSessions(unread, context)) {
    if ('session' in read) batch.push({ stamp: stampOf(artifact), session: sealSession(read.session) })
    if (batch.length >= BATCH) flush()
  }
  flush()
}
