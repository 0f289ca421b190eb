import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { markWords, unmarkWords } from '../../parts/mark-words.ts'
import type { Viewport } from '../../parts/viewport.ts'
import type { Conversation } from './conversation.ts'
import { useFound } from './use-found.ts'

interface FindProperties {
  conversation: Conversation
  viewport: Viewport
  onClose(): void
}

/** The field of words to find, and how many places contain them. */
export function Find({ conversation, viewport, onClose }: FindProperties) {
  const { words, found, at, state, go } = useFound(conversation, viewport)

  // Rows come and go while the list scrolls, so the marks follow each drawing.
  useEffect(() => {
    const timer = setTimeout(() => markWords('.conversation-list', words.value.trim()), 60)
    return () => clearTimeout(timer)
  }, [words.value, viewport.first.value, conversation.arrived.value])
  useEffect(() => unmarkWords, [])

  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter') go(at.value + (event.shiftKey ? -1 : 1))
    else return
    event.preventDefault()
  }
  const result =
    state.value === 'failed'
      ? 'could not search'
      : words.value.trim() === ''
        ? ''
        : found.value.length === 0
          ? state.value === ''
            ? 'nothing found'
            : ''
          : `${at.value + 1} of ${found.value.length}`
  return (
    <search class="find">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to find something.
        autoFocus
        type="search"
        aria-label="Find in this session"
        placeholder="Find in this session"
        spellcheck={false}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value
        }}
        onKeyDown={pressed}
      />
      <span class="find-result" role="status">
        {result}
      </span>
      <Button
        label="Previous"
        icon="up"
        bare
        disabled={found.value.length === 0}
        onClick={() => go(at.value - 1)}
      />
      <Button
        label="Next"
        icon="down"
        bare
        disabled={found.value.length === 0}
        onClick={() => go(at.value + 1)}
      />
      <Button label="Close" icon="close" bare onClick={onClose} />
    </search>
  )
}
