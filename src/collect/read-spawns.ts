import { readLines } from '../io/lines.ts'
import { parseLine } from '../io/parse-line.ts'
import { OBJECT_LINE } from '../io/scanner/shape.ts'
import type { Artifact } from '../model/artifact.ts'
import type { PlacedSpawn } from '../model/subagent-run.ts'
import { platformOf } from '../platforms/index.ts'
import { openArtifact } from './open-artifact.ts'
import { cleanerOf, readerOf } from './read-session.ts'

/** Where a transcript starts subagents, in order. Only lines that name one are parsed. Throws the system's error. */
export function readSpawns(artifact: Artifact): PlacedSpawn[] {
  const platform = platformOf(artifact.platform)
  const { spawns, spawnWords } = platform
  if (!spawns || !spawnWords) return []
  const clean = cleanerOf({})
  const found: PlacedSpawn[] = []
  const source = openArtifact(artifact)
  try {
    readLines(source, readerOf(platform).scanner, (line) => {
      if (line.kind !== OBJECT_LINE) return
      const bytes = line.bytes.subarray(line.start, line.end)
      if (!spawnWords.some((word) => bytes.includes(word))) return
      for (const entry of parseLine(line.bytes, line.start, line.end).entries)
        for (const { callId, child, prompt } of spawns(entry))
          found.push({ callId, child, prompt: prompt && clean(prompt), line: line.number })
    })
  } finally {
    source.close()
  }
  return found
}
