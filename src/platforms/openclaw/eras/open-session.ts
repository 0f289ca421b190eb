import type { SeekableSource } from '../../../io/source.ts'
import type { Artifact } from '../../../model/artifact.ts'
import { openArchive, openColdSession } from './archived-sessions.ts'
import { hasRecords, openTranscript } from './transcript-rows.ts'

/** The records of a session that a database holds, wherever it holds them, as lines. Throws the engine's error. */
export const openSession = (artifact: Artifact, database: string): SeekableSource =>
  openArchive(artifact, database) ??
  (hasRecords(artifact, database) ? undefined : openColdSession(artifact, database)) ??
  openTranscript(artifact, database)
