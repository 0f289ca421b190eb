import type { SeekableSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { openArchive, openColdSession } from './archived-sessions.ts'
import { hold } from './connection.ts'
import { hasRecords, openTranscript } from './transcript-rows.ts'

/**
 * The records of a session in a database as lines, in a consistent snapshot. Throws engine errors. `close`
 * throws if what was read may be inconsistent.
 */
export function openSession(artifact: Artifact, path: string): SeekableSource {
  const { connection, release } = hold(path)
  try {
    const source =
      openArchive(artifact, path, connection) ??
      (hasRecords(artifact, connection) ? undefined : openColdSession(artifact, path, connection)) ??
      openTranscript(artifact, connection)
    const close = (): void => {
      source.close()
      release()
    }
    return { ...source, close }
  } catch (error) {
    release()
    throw error
  }
}
