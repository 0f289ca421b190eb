import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import { copy, toast } from '../../parts/notice.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { useKeys } from '../../state/keys.ts'
import { marksAvailable, toggleStar } from '../../state/marks.ts'
import { navigate, query, sessionAddress, setQuery } from '../../state/router.ts'
import type { Conversation } from './conversation.ts'
import { copyResume, exportOpen } from './header.tsx'
import { type Fork, isAt, LAYOUTS, layoutOf, placeOf, type Row, type RowList, rowsOf } from './rows.ts'

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
  const any = () => true
  const isHuman = ({ kind, from }: Row) => kind === 'message' && conversation.shape.peek().who[from] === 'h'
  useKeys({
    j: () => step(session, 1, any),
    k: () => step(session, -1, any),
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

/** What steps of the keys need to know. */
interface Stepped {
  conversation: Conversation
  viewport: Viewport
  rows: RowList
}

/** Shows an item and marks its row as the current one. */
export function showItem(
  { conversation, viewport }: Omit<Stepped, 'rows'>,
  place: number,
  at?: number,
): void {
  conversation.reveal(place)
  conversation.current.value = place
  viewport.show(place, at)
}

/** The current row, if it is in view. */
function currentRow({ conversation, viewport, rows }: Stepped): number | undefined {
  const place = conversation.current.peek()
  if (place === undefined || rows.length === 0) return undefined
  const row = rows.rowOf(place)
  return viewport.isInView(row) ? row : undefined
}

/** Goes to the next or previous row that is wanted: from the current one, or from what is in view. */
function step(given: Stepped, by: 1 | -1, isWanted: (row: Row) => boolean): void {
  const { conversation, viewport, rows } = given
  const begin = currentRow(given) ?? rows.rowOf(viewport.current)
  for (let next = begin + by; next >= 0 && next < rows.length; next += by) {
    const row = rows.row(next)
    if (row.kind === 'gap' || !isWanted(row)) continue
    // The row takes the focus when it is drawn, unless something else has it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    conversation.current.value = placeOf(row)
    viewport.show(placeOf(row))
    return
  }
  if (by === 1) viewport.showEnd()
}

/** The error that was shown last, and the place that became the current one then. */
const shown = new WeakMap<Conversation, { error: number; place: number }>()

/** Goes to the next or previous error, with its call opened. After the last one, the first one follows. */
export function stepToError(
  { conversation, viewport }: Pick<Stepped, 'conversation' | 'viewport'>,
  by: 1 | -1,
): void {
  const { who } = conversation.shape.peek()
  const last = shown.get(conversation)
  const current = conversation.current.peek()
  const isThere = last !== undefined && last.place === current
  const begin = isThere ? last.error : (current ?? viewport.current - 1)
  for (let steps = 1; steps <= who.length; steps++) {
    const error = (begin + by * steps + who.length * 2) % who.length
    if (who[error] !== 'e') continue
    // The row takes the focus when it is drawn, unless something else has it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    shown.set(conversation, { error, place: showOpened({ conversation, viewport }, error) })
    return
  }
  toast('This session has no errors')
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

/** Shows the message that the address names, and opens the call. */
export function useDeepLink(conversation: Conversation, viewport: Viewport, line: number | undefined): void {
  const isReady = conversation.outline.value !== undefined
  useEffect(() => {
    if (line === undefined || !isReady) return
    const index = indexOfLine(conversation.shape.peek().line, line)
    if (index === undefined) return
    showOpened({ conversation, viewport }, index)
  }, [conversation, viewport, line, isReady])
}

/**
 * Shows an item as the current one, in a layout that has it, with its run and its call opened. Returns the place that
 * is the current one now.
 */
export function showOpened(given: Omit<Stepped, 'rows'>, index: number, at?: number): number {
  const { conversation } = given
  conversation.reveal(index)
  conversation.need(index - 20, index + 40)
  const rows = rowsOf(conversation.shape.peek(), conversation.path.peek(), layoutOf(query('layout')))
  const row = rows.length === 0 ? undefined : rows.row(rows.rowOf(index))
  if (!row || !isAt(row, index)) setQuery({ layout: '' })
  const place = openRun(conversation, index)
  showItem(given, place, at)
  return place
}

/** Opens the run of an item and the call in it, which the person can close. Returns the call, or the item. */
function openRun(conversation: Conversation, index: number): number {
  const shape = conversation.shape.peek()
  const rows = rowsOf(shape, conversation.path.peek(), 'everything')
  const { kind, from } = rows.row(rows.rowOf(index))
  if (kind !== 'run') return index
  let call = index
  while (call > from && shape.who[call] === 'e') call--
  conversation.open(`run ${from}`, `call ${call}`)
  return call
}

/** The item of a line, or the one before it: the line of a link may be that of a tool result. */
function indexOfLine(lines: readonly number[], line: number): number | undefined {
  const exact = lines.indexOf(line)
  if (exact >= 0) return exact
  if (lines.length === 0) return undefined
  const after = lines.findIndex((each) => each > line)
  return after < 0 ? lines.length - 1 : Math.max(0, after - 1)
}
