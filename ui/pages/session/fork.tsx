import { useMemo } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'
import { counted } from '../../text/figures.ts'
import type { Conversation } from './conversation.ts'
import type { Fork } from './path.ts'
import { type Layout, type RowList, rowsOf } from './rows.ts'

/** The rows of the path that the person has chosen, at first the current one. */
export function useRows(conversation: Conversation, layout: Layout): RowList {
  const shape = conversation.shape.value
  const path = conversation.path.value
  return useMemo(() => rowsOf(shape, path, layout), [shape, path, layout])
}

/** Where the human went back and took another way: a switch between the ways. */
export function ForkRow({ conversation, fork }: { conversation: Conversation; fork: Fork }) {
  const { branches, taken, other } = fork
  return (
    <fieldset class="fork">
      <legend class="fork-title">
        <Icon name="branch" />
        {`The human went back here. ${counted(branches.length + 1, 'branch', 'branches')}`}
      </legend>
      {branches.map((branch, index) => (
        <Way
          key={branch.from}
          conversation={conversation}
          number={index + 1}
          begin={branch.from}
          note={`abandoned · ${counted(branch.to - branch.from, 'item')}`}
          isTaken={taken === branch}
          onTake={() => conversation.switchTo(branch.from)}
        />
      ))}
      <Way
        conversation={conversation}
        number={branches.length + 1}
        begin={other.begin}
        note={other.branch ? 'abandoned' : 'current'}
        isTaken={taken === undefined}
        onTake={() => conversation.switchTo(other.branch?.from)}
      />
    </fieldset>
  )
}

interface WayProperties {
  conversation: Conversation
  number: number
  /** The first item of the branch. */
  begin: number
  note: string
  isTaken: boolean
  onTake(): void
}

function Way({ conversation, number, begin, note, isTaken, onTake }: WayProperties) {
  return (
    <button type="button" class="way" aria-pressed={isTaken} onClick={onTake}>
      <span class="way-number">{number}</span>
      <span class="way-words" dir="auto">
        {wordsFrom(conversation, begin)}
      </span>
      <span class="note">{note}</span>
    </button>
  )
}

/** How far into a branch its words are looked for: the human's are first, or follow a marker. */
const NEAR = 4

function wordsFrom(conversation: Conversation, begin: number): string {
  const human = conversation.outline.value?.humans.find(({ index }) => index >= begin && index < begin + NEAR)
  return human?.text ?? conversation.item(begin)?.text?.slice(0, 120) ?? '…'
}

/** The end of an abandoned branch. */
export function BranchEnd({ conversation }: { conversation: Conversation }) {
  return (
    <p class="marker">
      <span class="marker-words">
        {'This branch was abandoned here · '}
        <button type="button" class="link" onClick={() => conversation.switchTo(undefined)}>
          Back to the current branch
        </button>
      </span>
    </p>
  )
}
