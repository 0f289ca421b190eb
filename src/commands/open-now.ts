import type { Root } from '../model/artifact.ts'
import type { Session } from '../model/session.ts'
import { platformOf } from '../platforms/index.ts'

/** Marks the sessions that a client has open now. Subagents have files of their own, and the id of no client. */
export function markOpen(sessions: readonly Session[], roots: readonly Root[]): void {
  for (const root of roots) {
    const open = root.found ? platformOf(root.platform).openSessions?.(root) : undefined
    if (!open?.size) continue
    for (const session of sessions)
      if (session.root === root.path && open.has(session.id) && session.goneMs === undefined)
        session.open = true
  }
}
