import { useMemo } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'
import { counted } from '../../text/figures.ts'
import type { Conversation } from './conversation.ts'
import { type Layout, type Row, type RowList, rowsOf, type Span } from './rows.ts'

export const branchKey = ({ from }: Span): string => `branch ${from}`

/** The rows of a conversation. Abandoned branches are folded until the person opens them. */
export function useRows(conversation: Conversation, layout: Layout): RowList {
  const shape = conversation.shape.value
  const branches = conversation.branches.value
  const opened = conversation.opened.value
  const open =
    branches.length === 0
      ? ''
      : branches
          .map(branchKey)
          .filter((key) => opened.has(key))
          .join()
  return useMemo(
    () =>
      rowsOf(shape, {
        ...{ layout, branches },
        isFolded: (branch) => !conversation.opened.peek().has(branchKey(branch)),
      }),
    [conversation, shape, layout, branches, open],
  )
}

/** An abandoned branch: what was said before the human went back and took another way. */
export function Branch({ conversation, row }: { conversation: Conversation; row: Row }) {
  const { from, to, isFolded } = row
  const words = conversation.outline.value?.humans.find(({ index }) => index >= from && index < to)?.text
  return (
    <p class="marker branch">
      <button
        type="button"
        class="branch-switch"
        aria-expanded={!isFolded}
        onClick={() => conversation.toggle(branchKey(row))}
      >
        <Icon name="branch" />
        <span>{`${counted(to - from, 'item')} of an abandoned branch`}</span>
        {words && (
          <span class="branch-words" dir="auto">
            {words}
          </span>
        )}
        <span class="quiet">{isFolded ? 'show' : 'hide'}</span>
      </button>
    </p>
  )
}
