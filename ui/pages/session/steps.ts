import { useEffect } from 'preact/hooks'
import { toast } from '../../parts/notice.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { query, setQuery } from '../../state/router.ts'
import { count } from '../../text/format.ts'
import type { Conversation } from './conversation.ts'
import { callsOf, isAt, layoutOf, placeOf, type Row, type RowList, rowsOf } from './rows.ts'

/** What steps of the keys need to know. */
export interface Stepped {
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
export function currentRow({ conversation, viewport, rows }: Stepped): number | undefined {
  const place = conversation.current.peek()
  if (place === undefined || rows.length === 0) return undefined
  const row = rows.rowOf(place)
  return viewport.isInView(row) ? row : undefined
}

/** Goes to the next or previous row that is wanted: from the current one, or from what is in view. */
export function step(given: Stepped, by: 1 | -1, isWanted?: (row: Row) => boolean): void {
  const { viewport, rows } = given
  const isDone = stepFrom(given, currentRow(given) ?? rows.rowOf(viewport.current), by, isWanted)
  if (!isDone && by === 1) viewport.showEnd()
}

/** Makes the next or previous row that is wanted the current one. Returns whether there is one. */
export function stepFrom(
  { conversation, viewport, rows }: Stepped,
  begin: number,
  by: 1 | -1,
  isWanted: (row: Row) => boolean = () => true,
): boolean {
  for (let next = begin + by; next >= 0 && next < rows.length; next += by) {
    const row = rows.row(next)
    if (row.kind === 'gap' || !isWanted(row)) continue
    // The row takes the focus when it is drawn, unless something else has it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    conversation.current.value = placeOf(row)
    viewport.show(placeOf(row))
    return true
  }
  return false
}

/** Goes to the next or previous error, with its call opened. After the last one, the first one follows. */
export function stepToError(
  { conversation, viewport }: Pick<Stepped, 'conversation' | 'viewport'>,
  by: 1 | -1,
): void {
  const { who } = conversation.shape.peek()
  const last = conversation.shownError.peek()
  const current = conversation.current.peek()
  const isThere = last !== undefined && last.place === current
  const begin = isThere ? last.error : (current ?? viewport.current - 1)
  for (let steps = 1; steps <= who.length; steps++) {
    const error = (begin + by * steps + who.length * 2) % who.length
    if (who[error] !== 'e') continue
    showError({ conversation, viewport }, error)
    return
  }
  toast('This session has no errors')
}

/** Shows an error with its call opened. */
export function showError({ conversation, viewport }: Omit<Stepped, 'rows'>, error: number): void {
  // The row takes the focus when it is drawn, unless something else has it.
  if (document.activeElement instanceof HTMLElement && !document.activeElement.closest('.errors'))
    document.activeElement.blur()
  const before = viewport.current
  conversation.shownError.value = { error, place: showOpened({ conversation, viewport }, error) }
  tellJump(before, error)
}

/** So many messages at once are a jump that a person may not have meant. */
const FAR = 1000

/** Says how far a key has led, and what leads back. */
export function tellJump(from: number, to: number): void {
  const far = Math.round(Math.abs(to - from))
  if (far < FAR) return
  toast(
    to < from
      ? `${count(far)} items up. G leads to the end.`
      : `${count(far)} items down. g g leads to the beginning.`,
  )
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
  const { kind, from, to } = rows.row(rows.rowOf(index))
  if (kind !== 'run') return index
  let call = index
  while (call > from && shape.who[call] === 'e') call--
  call = callsOf(conversation, from, to).find(({ error }) => error?.index === index)?.index ?? call
  conversation.open(`run ${from}`, `call ${call}`)
  return call
}

/** The item of a line, or the one before it: the line of a link may be that of a tool result. */
export function indexOfLine(lines: readonly number[], line: number): number | undefined {
  const exact = lines.indexOf(line)
  if (exact >= 0) return exact
  if (lines.length === 0) return undefined
  const after = lines.findIndex((each) => each > line)
  return after < 0 ? lines.length - 1 : Math.max(0, after - 1)
}
