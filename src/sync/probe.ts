import type { Artifact } from '../model/artifact.ts'
import { asTime } from '../model/json.ts'
import { openArtifact } from './read/read-session.ts'

const REACH = 32 * 1024

/** Estimates when a session began from the first bytes of its file. Good enough for sorting sessions. */
export function probeStart(artifact: Artifact): number {
  if (artifact.path.endsWith('.zst')) return artifact.modifiedMs
  try {
    const source = openArtifact(artifact)
    try {
      const bytes = Buffer.allocUnsafe(REACH)
      const text = bytes.toString('latin1', 0, source.read(bytes, 0, REACH))
      const found = /"timestamp":\s*(?:"([^"]{10,40})"|(\d{10,13}))/.exec(text)
      return asTime(found?.[1] ?? Number(found?.[2])) ?? artifact.modifiedMs
    } finally {
      source.close()
    }
  } catch {
    return artifact.modifiedMs
  }
}
