import type { SeekableSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { openArchive, openColdSession } from './archived-sessions.ts'
import { hold } from './connection.ts'
import { hasRecords, openTranscript } from './transcript-rows.ts'

/**
 * The records of a session that a database holds, wherever it holds them, as lines: all of one moment. Throws the engine's error,
 * and on closing where what was read may be wrong.
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
