import { useEffect } from 'preact/hooks'
import type { Viewport } from '../../parts/viewport.ts'
import { query, setQuery } from '../../state/router.ts'
import type { Conversation } from './conversation.ts'
import { showItem } from './current.ts'
import { rowsOf } from './rows.ts'

/** Shows the message that the address names, and opens the call. */
export function useDeepLink(conversation: Conversation, viewport: Viewport, line: number | undefined): void {
  const isReady = conversation.outline.value !== undefined
  useEffect(() => {
    if (line === undefined || !isReady) return
    const index = indexOfLine(conversation.shape.peek().line, line)
    if (index === undefined) return
    if (query('layout') !== '') setQuery({ layout: '' })
    conversation.reveal(index)
    conversation.need(index - 20, index + 40)
    showItem({ conversation, viewport }, openRun(conversation, index))
  }, [conversation, viewport, line, isReady])
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
