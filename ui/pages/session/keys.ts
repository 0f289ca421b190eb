import type { Signal } from '@preact/signals'
import { apiAddress, get } from '../../api/client.ts'
import type { SessionsAnswer } from '../../api/shapes.ts'
import { toast } from '../../parts/toast.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { useKeys } from '../../state/keys.ts'
import { marksAvailable, toggleStar } from '../../state/marks.ts'
import { navigate, sessionAddress, setQuery } from '../../state/router.ts'
import { copyResume, exportOpen } from './actions.ts'
import type { Conversation } from './conversation.ts'
import { LAYOUTS, type Layout, type RowList } from './rows.ts'

interface Session {
  conversation: Conversation
  viewport: Viewport
  rows: RowList
  layout: Layout
  isPanelOpen: Signal<boolean>
  isFinding: Signal<boolean>
}

/** The row in view that a step starts from: just below the top. */
function step(
  { viewport, rows, conversation }: Session,
  by: 1 | -1,
  wanted: (letter: string) => boolean,
): void {
  const { who } = conversation.shape.peek()
  const current = rows.rowOf(viewport.current)
  for (let row = current + by; row >= 0 && row < rows.length; row += by) {
    const { kind, from } = rows.row(row)
    if (kind !== 'message' || !wanted(who[from]!)) continue
    viewport.show(from)
    return
  }
  if (by === 1) viewport.showEnd()
}

/** Goes to the session before or after this one, in order of activity. */
async function neighbor({ conversation }: Session, by: 1 | -1): Promise<void> {
  const { sessions } = await get<SessionsAnswer>(apiAddress('sessions', { all: true, limit: 1000 }))
  const path = conversation.outline.peek()?.session.path
  const at = sessions.findIndex((row) => row.path === path)
  const next = at < 0 ? undefined : sessions[at + by]
  if (next) navigate(sessionAddress(next.id))
  else toast(by === 1 ? 'This is the oldest session' : 'This is the newest session')
}

function nextLayout(layout: Layout): void {
  const next = LAYOUTS[(LAYOUTS.indexOf(layout) + 1) % LAYOUTS.length]!
  setQuery({ layout: next === 'everything' ? '' : next })
}

export function useSessionKeys(session: Session): void {
  const { conversation, viewport, layout, isPanelOpen, isFinding } = session
  const row = conversation.outline.value?.session
  const any = () => true
  const human = (letter: string) => letter === 'h'
  useKeys({
    j: () => step(session, 1, any),
    k: () => step(session, -1, any),
    J: () => step(session, 1, human),
    K: () => step(session, -1, human),
    ']': () => void neighbor(session, 1),
    '[': () => void neighbor(session, -1),
    l: () => nextLayout(layout),
    '/': () => {
      isFinding.value = true
    },
    p: () => {
      isPanelOpen.value = !isPanelOpen.value
    },
    c: () => row && void copyResume(row.id),
    e: () => {
      exportOpen.value = !exportOpen.value
    },
    s: () => row && marksAvailable.value && void toggleStar(row),
    G: () => viewport.showEnd(),
    'g g': () => viewport.show(0),
    Home: () => viewport.show(0),
    End: () => viewport.showEnd(),
    Escape: () => {
      exportOpen.value = false
      isFinding.value = false
    },
  })
}
