import type { EndedFile } from '../../model/ended-sessions.ts'
import type { Known } from '../../store/increment.ts'
import type { Store } from '../../store/store.ts'

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
