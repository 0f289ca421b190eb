import { type Artifact, forgottenKey } from '../model/artifact.ts'
import type { Known } from '../store/increment.ts'
import type { Store } from '../store/store.ts'

type SessionName = Pick<Artifact, 'platform' | 'sessionId' | 'parentSessionId'>

/** A file of a session, and the time of its last message. */
export interface EndedFile extends SessionName {
  endedMs: number
}

/**
 * Tells whether a file belongs to a session that ended before a moment. A session ends with the last message
 * of any of its files, also those of its subagents, which end with it.
 */
export function endedTest(files: Iterable<EndedFile>, cutoffMs: number): (file: SessionName) => boolean {
  const endOf = endsIn([...files])
  return (file) => {
    const endedMs = endOf(file)
    return endedMs !== undefined && endedMs < cutoffMs
  }
}

/** Returns when a file's session ended, with all of its files. */
function endsIn(all: readonly EndedFile[]): (file: SessionName) => number | undefined {
  const parents = new Map<string, string>()
  for (const { platform, sessionId, parentSessionId } of all)
    if (parentSessionId !== undefined)
      parents.set(forgottenKey(platform, sessionId), forgottenKey(platform, parentSessionId))
  const topOf = ({ platform, sessionId, parentSessionId }: SessionName): string => {
    const seen = new Set<string>()
    let top = forgottenKey(platform, sessionId)
    let parent = parentSessionId === undefined ? undefined : forgottenKey(platform, parentSessionId)
    while (parent !== undefined && !seen.has(parent)) {
      seen.add(parent)
      top = parent
      parent = parents.get(top)
    }
    return top
  }
  const ends = new Map<string, number>()
  for (const file of all) {
    const top = topOf(file)
    ends.set(top, Math.max(ends.get(top) ?? 0, file.endedMs))
  }
  return (file) => ends.get(topOf(file))
}

/** When the sessions of all files ended, by the id of the file. Memory documents have no end. */
export function endsOf(store: Pick<Store, 'known' | 'sessions'>): Map<number, number> {
  const files = endedFilesOf(store)
  const endOf = endsIn(files.map(({ file }) => file))
  return new Map(files.map(({ known, file }) => [known.id, endOf(file) ?? file.endedMs]))
}

/** The files of all stored sessions, and when they ended. Memory documents have no end. */
export function endedFilesOf(store: Pick<Store, 'known' | 'sessions'>): { known: Known; file: EndedFile }[] {
  const last = new Map(
    store
      .sessions()
      .map(({ session }) => [session.path, session.lastActivityMs ?? session.modifiedMs] as const),
  )
  return [...store.known().values()].flatMap((known) => {
    const { path, kind, platform, sessionId, parentSessionId } = known.artifact
    const endedMs = last.get(path)
    if (kind === 'memory' || endedMs === undefined) return []
    return [{ known, file: { platform, sessionId, parentSessionId, endedMs } }]
  })
}
