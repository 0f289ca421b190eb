import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Conversation } from './conversation.ts'
import { isAt, type Row } from './rows.ts'
import { NAMES } from './speakers.ts'

/** How much of a message its name contains, which is read aloud when the row becomes the current one. */
const WORDS = 400

function nameOf(conversation: Conversation, { kind, from }: Row): string {
  if (kind === 'fork') return 'The human went back here'
  if (kind === 'end') return 'The end of an abandoned branch'
  const item = conversation.item(from)
  if (kind === 'run') return `Tool calls, beginning with ${item?.tool?.name ?? 'one that loads'}`
  const words = item?.text?.slice(0, WORDS).toWellFormed() ?? item?.marker ?? ''
  return item && NAMES[item.who] ? `${NAMES[item.who]}: ${words}` : words || 'A message that loads'
}

/** Whether the focus is nowhere, or in the conversation. It is not taken from anything else. */
const isFocusFree = (): boolean => {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('.conversation-list') !== null
}

interface CurrentProperties {
  conversation: Conversation
  row: Row
  children: ComponentChildren
}

/** A row with the mark of the current one, which has the focus, so that it is read aloud. */
export function CurrentRow({ conversation, row, children }: CurrentProperties) {
  const element = useRef<HTMLDivElement>(null)
  const place = conversation.current.value
  const isCurrent = place !== undefined && isAt(row, place)
  useLayoutEffect(() => {
    if (isCurrent && isFocusFree()) element.current?.focus({ preventScroll: true })
  }, [isCurrent, place])
  const current = isCurrent
    ? ({
        ...{ 'aria-current': 'true', role: 'group', tabIndex: -1 },
        'aria-label': nameOf(conversation, row),
      } as const)
    : {}
  return (
    <div class="row-body" ref={element} {...current}>
      {children}
    </div>
  )
}
