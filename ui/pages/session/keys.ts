import type { Signal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import { copy, toast } from '../../parts/notice.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { useKeys } from '../../state/keys.ts'
import { marksAvailable, toggleStar } from '../../state/marks.ts'
import { navigate, query, sessionAddress, setQuery } from '../../state/router.ts'
import type { Conversation } from './conversation.ts'
import { copyResume, exportOpen } from './header.tsx'
import { type Fork, LAYOUTS, layoutOf, type Row, type RowList } from './rows.ts'
import { currentRow, type Stepped, step, stepFrom, stepToError, tellJump } from './steps.ts'

/** The tabs of the panel. */
export type Tab = 'outline' | 'changes' | 'details'

interface Session {
  conversation: Conversation
  viewport: Viewport
  rows: RowList
  isPanelOpen: Signal<boolean>
  isFinding: Signal<boolean>
  showTab(tab: Tab): void
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
  const { conversation, viewport, isPanelOpen, isFinding, showTab } = session
  const row = conversation.outline.value?.session
  const toBeginning = () => {
    tellJump(viewport.current, 0)
    stepFrom(session, -1, 1)
    viewport.show(0)
  }
  const toEnd = () => {
    tellJump(viewport.current, conversation.count)
    stepFrom(session, session.rows.length, -1)
    viewport.showEnd()
  }
  const isHuman = ({ kind, from }: Row) => kind === 'message' && conversation.shape.peek().who[from] === 'h'
  useKeys({
    j: () => step(session, 1),
    k: () => step(session, -1),
    J: () => step(session, 1, isHuman),
    K: () => step(session, -1, isHuman),
    n: () => stepToError(session, 1),
    N: () => stepToError(session, -1),
    Enter: () => toggleCurrent(session),
    y: () => void copyCurrent(session),
    Y: () => void copyAddress(session),
    ']': () => void neighbor(session, 'older'),
    '[': () => void neighbor(session, 'newer'),
    l: nextLayout,
    '/': () => {
      isFinding.value = true
      document.querySelector<HTMLElement>('.find input')?.focus()
    },
    p: () => {
      isPanelOpen.value = !isPanelOpen.value
    },
    d: () => showTab('changes'),
    i: () => showTab('details'),
    c: () => row && void copyResume(row),
    e: () => {
      exportOpen.value = !exportOpen.value
    },
    s: () => row && marksAvailable.value && void toggleStar(row),
    G: toEnd,
    'g g': toBeginning,
    Home: toBeginning,
    End: toEnd,
    Escape: () => {
      exportOpen.value = false
      isFinding.value = false
    },
  })
}
/** Opens or closes what the current row can show more of. */
function toggleCurrent(given: Stepped): void {
  const { conversation, rows } = given
  const at = currentRow(given)
  if (at === undefined) return
  const row = rows.row(at)
  if (row.fork) conversation.switchTo(nextWay(row.fork))
  else if (row.kind === 'end') conversation.switchTo(undefined)
  else if (row.kind === 'run') conversation.toggle(`run ${row.from}`)
  else if (conversation.item(row.from)?.who === 'agent') conversation.toggle(`record ${row.from}`)
}

/** The way after the one that is shown. The last one is what the branches part from. */
function nextWay({ branches, taken, other }: Fork): number | undefined {
  const next = taken === undefined ? branches[0] : branches[branches.indexOf(taken) + 1]
  return next ? next.from : other.branch?.from
}

/** The item of the current row, to copy it or its address. */
function currentItem(given: Stepped) {
  const at = currentRow(given)
  if (at === undefined) return undefined
  const { from, to } = given.rows.row(at)
  return to > from ? given.conversation.item(from) : undefined
}
