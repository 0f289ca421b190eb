import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { sep } from 'node:path'
import { identityOf } from '../../io/directories.ts'
import { type Artifact, copiedName } from '../../model/artifact.ts'

const EXTENSION = '.jsonl'
/** `agent-<hex>.jsonl`, or `agent-a<label>-<hex>.jsonl` for the client's own forks. */
const FORK = /^agent-a([a-z_]+)-[0-9a-f]+$/
const SUBAGENT = /^agent-.+\.jsonl$/

export const isTranscriptName = (name: string): boolean =>
  name.endsWith(EXTENSION) && copiedName(name) === undefined
export const isSubagentName = (name: string): boolean => SUBAGENT.test(name)
/** The client's label of an internal fork, from the name of its file without the extension. */
export const forkLabel = (stem: string): string | undefined => FORK.exec(stem)?.[1]

/** A folder with transcripts. */
interface Folder {
  path: string
  slug: string
  /** The session whose subagents it contains. */
  parentSessionId?: string
  /** The names without extension of transcripts with a description beside them. */
  described?: ReadonlySet<string>
}

/** Its transcripts as columns. */
interface Columns extends Folder {
  names: string[]
  /** Size, modification time, device and inode of each. */
  numbers: number[]
}
const NUMBERS = 4

/**
 * Transcripts below a root, as columns. Most refreshes find nothing new and only need a hash, and creating an
 * object for each of 100,000 files takes a third of the time in which they are checked.
 */
export function createTranscripts(root: string) {
  const folders: Columns[] = []
  let count = 0
  let starts: number[] | undefined

  function artifactAt(
    { path: folder, slug, parentSessionId, described, names, numbers }: Columns,
    index: number,
  ): Artifact {
    const name = names[index]!
    const at = index * NUMBERS
    // Joining makes one string. A template would refer to its parts, which take twice the memory.
    const path = [folder, name].join(sep)
    const copied = copiedName(name)
    const isSubagent = isSubagentName(copied === undefined ? name : `${copied}${EXTENSION}`)
    // A part of the path, which takes less memory than a copy.
    const sessionId = copied ?? path.slice(-name.length, -EXTENSION.length)
    return {
      platform: 'claude-code',
      root,
      path,
      kind: 'transcript',
      state: copied === undefined ? 'live' : 'backup',
      sessionId,
      agent: 'claude',
      slug,
      bytes: numbers[at]!,
      modifiedMs: numbers[at + 1]!,
      identity: identityOf({ dev: numbers[at + 2]!, ino: numbers[at + 3]! }),
      fork: isSubagent && copied === undefined ? forkLabel(sessionId) : undefined,
      // A description may be written later than the transcript.
      ...(described?.has(sessionId) && { besideMs: 1 }),
      ...(isSubagent && { kindHint: 'subagent' as const }),
      ...(parentSessionId !== undefined && { parentSessionId }),
    }
  }

  return {
    /** Begins a folder. Returns a function that adds one of its transcripts. */
    folder(found: Folder): (name: string, stats: Stats) => void {
      const names: string[] = []
      const numbers: number[] = []
      folders.push({ ...found, names, numbers })
      return (name, { size, mtimeMs, dev, ino }) => {
        count++
        names.push(name)
        numbers.push(size, mtimeMs, dev, ino)
      }
    },
    count: (): number => count,
    /** Creates one of them, in the order of the folders. */
    at(index: number): Artifact {
      starts ??= startsOf(folders)
      const folder = lastUpTo(starts, index)
      return artifactAt(folders[folder]!, index - starts[folder]!)
    },
    /** A hash of everything that the artifacts are made from, and of `more`. */
    digest(more: string): string {
      const hash = createHash('sha256').update(more)
      for (const { path, names, numbers, described } of folders)
        hash
          .update(JSON.stringify([path, names, [...(described ?? [])]]))
          .update(new Uint8Array(Float64Array.from(numbers).buffer))
      return hash.digest('hex')
    },
  }
}

/** The number of transcripts before each folder. */
function startsOf(folders: readonly Columns[]): number[] {
  let start = 0
  return folders.map(({ names }) => {
    const own = start
    start += names.length
    return own
  })
}

/** The index of the last of ascending numbers that is at most a limit. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let from = 0
  for (let until = numbers.length; until - from > 1; ) {
    const middle = (from + until) >> 1
    if (numbers[middle]! <= limit) from = middle
    else until = middle
  }
  return from
}
