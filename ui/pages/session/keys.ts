import type { Signal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import { copy, toast } from '../../parts/toast.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { useKeys } from '../../state/keys.ts'
import { marksAvailable, toggleStar } from '../../state/marks.ts'
import { navigate, query, sessionAddress, setQuery } from '../../state/router.ts'
import { copyResume, exportOpen } from './actions.ts'
import type { Conversation } from './conversation.ts'
import { currentItem, step, toggleCurrent } from './current.ts'
import { LAYOUTS, layoutOf, type Row, type RowList } from './rows.ts'

interface Session {
  conversation: Conversation
  viewport: Viewport
  rows: RowList
  isPanelOpen: Signal<boolean>
  isFinding: Signal<boolean>
}

/** Goes to the session before or after this one, in order of activity. */
async function neighbor({ conversation }: Session, to: 'newer' | 'older'): Promise<void> {
  try {
    const session = conversation.outline.peek()?.session.path ?? conversation.session
    const { [to]: id } = await get(ask('neighbors', { session }))
    if (id === null) toast(`This is the ${to === 'older' ? 'oldest' : 'newest'} session`)
    else navigate(sessionAddress(id))
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error))
  }
}

async function copyCurrent(session: Session): Promise<void> {
  const item = currentItem(session)
  if (item) await copy(item.text ?? `${item.tool?.name} ${item.tool?.target ?? ''}`.trim(), 'the message')
}

async function copyAddress(session: Session): Promise<void> {
  const item = currentItem(session)
  const id = session.conversation.outline.peek()?.session.id ?? item?.session
  if (!item || id === undefined) return
  await copy(new URL(sessionAddress(id, item.line), window.location.href).href, 'the link to the message')
}

/** Goes by the address, because the next key may come before the page is drawn again. */
function nextLayout(): void {
  const layout = layoutOf(query('layout'))
  const next = LAYOUTS[(LAYOUTS.indexOf(layout) + 1) % LAYOUTS.length]!
  setQuery({ layout: next === 'everything' ? '' : next })
}

export function useSessionKeys(session: Session): void {
  const { conversation, viewport, isPanelOpen, isFinding } = session
  const row = conversation.outline.value?.session
  const any = () => true
  const isHuman = ({ kind, from }: Row) => kind === 'message' && conversation.shape.peek().who[from] === 'h'
  useKeys({
    j: () => step(session, 1, any),
    k: () => step(session, -1, any),
    J: () => step(session, 1, isHuman),
    K: () => step(session, -1, isHuman),
    Enter: () => toggleCurrent(session),
    y: () => void copyCurrent(session),
    Y: () => void copyAddress(session),
    ']': () => void neighbor(session, 'older'),
    '[': () => void neighbor(session, 'newer'),
    l: nextLayout,
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
