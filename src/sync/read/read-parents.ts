import { type Line, readLines } from '../../io/lines.ts'
import { parseLine } from '../../io/parse-line.ts'
import type { Artifact } from '../../model/artifact.ts'
import { platformOf } from '../../platforms/index.ts'
import { openArtifact } from './read-session.ts'

/** A record of a transcript and the one that it follows. */
export interface ParentLink {
  line: number
  id: string
  /** Absent for the first record of a conversation. */
  parent?: string
}

/** Reads which record follows which, in the first lines of a transcript. Throws the system's error. */
export function readParents(found: Artifact, lines: number): ParentLink[] {
  const platform = platformOf(found.platform)
  const artifact = platform.files.describe?.(found) ?? found
  const links: ParentLink[] = []
  let isPast = false
  const source = openArtifact(artifact)
  try {
    readLines(source, visit, { full: () => isPast })
  } finally {
    source.close()
  }
  return links

  function visit({ oversized, number, bytes, start, end }: Line): void {
    isPast ||= number > lines
    if (isPast || oversized) return
    for (const entry of parseLine(bytes, start, end).entries)
      for (const { id, parentId } of platform.records.normalize(entry, artifact))
        if (id !== undefined)
          links.push({ line: number, id, ...(parentId === undefined ? {} : { parent: parentId }) })
  }
}
