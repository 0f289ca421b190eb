import type { Root } from '../../../model/artifact.ts'
import type { Session } from '../../../model/session.ts'
import { platformOf } from '../../../platforms/index.ts'

/**
 * The sessions, of which those are marked that a client has open now. They are copied, because sessions are
 * read once and listed often. Subagents are not marked: they have their own files, and no client shows their
 * id.
 */
export function markOpen(sessions: readonly Session[], roots: readonly Root[]): Session[] {
  const open = new Map(
    roots.flatMap((root) => {
      const ids = root.found ? platformOf(root.platform).openSessions?.(root) : undefined
      return ids?.size ? [[keyOf(root.platform, root.path), ids] as const] : []
    }),
  )
  return sessions.map((session) =>
    session.goneMs === undefined && open.get(keyOf(session.platform, session.root))?.has(session.id)
      ? { ...session, open: true }
      : session,
  )
}

const keyOf = (platform: string, root: string): string => `${platform} ${root}`
