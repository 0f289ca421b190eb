import { useEffect } from 'preact/hooks'
import type { Changed } from '../../api/shapes.ts'
import { changes } from '../../state/events.ts'
import type { Conversation } from './conversation.ts'

/** Fetches what is new when the store has taken any of it, or may have after a reconnect. */
export function useFollowing(conversation: Conversation, isEndInView: () => boolean): void {
  useEffect(() => {
    let isKnown = true
    const stop = changes.subscribe((changed) => {
      // The last change before this page was opened is contained in its answers.
      if (isKnown) return
      if (isOf(conversation, changed)) void conversation.refresh(isEndInView())
      else if (isOfSubagent(conversation, changed)) conversation.outlineSoon()
    })
    isKnown = false
    return stop
  }, [conversation, isEndInView])
}

function isOf({ outline, session }: Conversation, { sessions }: Changed): boolean {
  const { id, path } = outline.peek()?.session ?? { id: session, path: session }
  return sessions.length === 0 || sessions.some((each) => each.path === path || each.id === id)
}

/** A subagent of a subagent names the session that started both. */
function isOfSubagent({ outline }: Conversation, { sessions }: Changed): boolean {
  const row = outline.peek()?.session
  return row !== undefined && sessions.some(({ parent }) => parent && [row.id, row.parent].includes(parent))
}
