import type { Root } from '../../../model/artifact.ts'
import type { Session } from '../../../model/session.ts'
import { platformOf } from '../../../platforms/index.ts'

/**
 * Marks the sessions that a client has open now. Subagents are not marked: they have their own files, and no
 * client shows their id.
 */
export function markOpen(sessions: readonly Session[], roots: readonly Root[]): void {
  for (const root of roots) {
    const open = root.found ? platformOf(root.platform).openSessions?.(root) : undefined
    if (!open?.size) continue
    for (const session of sessions)
      if (session.root === root.path && open.has(session.id) && session.goneMs === undefined)
        session.open = true
  }
}
