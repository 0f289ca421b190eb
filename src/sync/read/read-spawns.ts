import { readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import type { LocatedSpawn } from '../../model/subagent-run.ts'
import { platformOf } from '../../platforms/index.ts'
import { cleanerOf, openArtifact } from './read-session.ts'

/**
 * The subagents that a transcript starts, in order. Only parses lines that mention one. Throws file system
 * errors.
 */
export function readSpawns(artifact: Artifact): LocatedSpawn[] {
  const platform = platformOf(artifact.platform)
  if (!platform.subagents) return []
  const { spawns, spawnWords } = platform.subagents
  const clean = cleanerOf({})
  const found: LocatedSpawn[] = []
  const source = openArtifact(artifact)
  try {
    readLines(source, (line) => {
      if (line.oversized) return
      const bytes = line.bytes.subarray(line.start, line.end)
      if (!spawnWords.some((word) => bytes.includes(word))) return
      for (const entry of parseLine(line.bytes, line.start, line.end).entries)
        for (const { callId, child, prompt, status } of spawns(entry))
          found.push({
            callId,
            child,
            prompt: prompt && clean(prompt),
            status: status && clean(status),
            line: line.number,
          })
    })
  } finally {
    source.close()
  }
  return found
}
