import { openSource, type SeekableSource } from '../../io/source.ts'
import type { Artifact } from '../../model/artifact.ts'
import { platformOf } from '../../platforms/index.ts'

/**
 * Opens the lines of a transcript, in a file or a database. Throws file system errors, or those of the
 * database engine.
 */
export const openArtifact = (artifact: Artifact): SeekableSource =>
  platformOf(artifact.platform).files.open?.(artifact) ?? openSource(artifact.path)
