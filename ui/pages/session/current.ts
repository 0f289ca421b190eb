import type { Viewport } from '../../parts/viewport.ts'
import type { Conversation } from './conversation.ts'
import type { Fork } from './path.ts'
import { placeOf, type Row, type RowList } from './rows.ts'

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
function currentRow({ conversation, viewport, rows }: Stepped): number | undefined {
  const place = conversation.current.peek()
  if (place === undefined || rows.length === 0) return undefined
  const row = rows.rowOf(place)
  return viewport.isInView(row) ? row : undefined
}

/** Goes to the next or previous row that is wanted: from the current one, or from what is in view. */
export function step(given: Stepped, by: 1 | -1, isWanted: (row: Row) => boolean): void {
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

/** Opens or closes what the current row can show more of. */
export function toggleCurrent(given: Stepped): void {
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
export function currentItem(given: Stepped) {
  const at = currentRow(given)
  if (at === undefined) return undefined
  const { from, to } = given.rows.row(at)
  return to > from ? given.conversation.item(from) : undefined
}
