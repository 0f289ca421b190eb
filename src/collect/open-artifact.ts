import { openSource, type SeekableSource } from '../io/source.ts'
import type { Artifact } from '../model/artifact.ts'
import { platformOf } from '../platforms/index.ts'

/** The lines of a transcript, wherever it keeps them. Throws the system's error, or the engine's of a database. */
export const openArtifact = (artifact: Artifact): SeekableSource =>
  platformOf(artifact.platform).open?.(artifact) ?? openSource(artifact.path)
