import { readLines } from '../io/lines.ts'
import { parseLine } from '../io/parse-line.ts'
import { openSource } from '../io/source.ts'
import type { Artifact } from '../model/artifact.ts'
import { asObject, type JsonObject } from '../model/json.ts'

/** Takes the records of one transcript, and says what they tell of subagents. */
export interface RunCollector<Found> {
  add(record: JsonObject, line: number): void
  found(): Found
}

/**
 * Reads what transcripts tell of the subagents that their sessions started, in lines that contain one of the
 * words. What was found is kept as long as a transcript does not change. Returns undefined if one cannot be
 * read: it is gone, or the listing of sessions reports it.
 */
export function createRunReader<Found>(
  words: readonly string[],
  collect: (artifact: Artifact) => RunCollector<Found>,
): (artifact: Artifact) => Found | undefined {
  const known = new Map<string, { state: string; found: Found }>()
  return (artifact) => {
    const { path, bytes, modifiedMs, identity } = artifact
    const state = `${bytes} ${modifiedMs} ${identity}`
    try {
      if (known.get(path)?.state !== state) known.set(path, { state, found: read(artifact) })
    } catch {
      return undefined
    }
    return known.get(path)!.found
  }

  function read(artifact: Artifact): Found {
    const collector = collect(artifact)
    const source = openSource(artifact.path)
    try {
      readLines(source, (line) => {
        const bytes = line.bytes.subarray(line.start, line.end)
        if (line.oversized || !words.some((word) => bytes.includes(word))) return
        for (const entry of parseLine(line.bytes, line.start, line.end).entries)
          collector.add(asObject(entry) ?? {}, line.number)
      })
    } finally {
      source.close()
    }
    return collector.found()
  }
}
