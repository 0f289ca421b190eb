import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { apiAddress, get } from '../../api/client.ts'
import type { Item } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { markWords, unmarkWords } from '../../parts/mark-words.ts'
import type { Viewport } from '../../parts/viewport.ts'
import type { Conversation } from './conversation.ts'
import { indexesOf } from './found.ts'

interface FindProperties {
  conversation: Conversation
  viewport: Viewport
  onClose(): void
}

const PAUSE_MS = 150

/** Finds words in the whole session, also where it is not loaded. */
export function Find({ conversation, viewport, onClose }: FindProperties) {
  const words = useSignal('')
  const found = useSignal<readonly number[]>([])
  const at = useSignal(0)
  const state = useSignal<'' | 'searching' | 'failed'>('')

  const go = (to: number) => {
    if (found.value.length === 0) return
    at.value = (to + found.value.length) % found.value.length
    viewport.show(found.value[at.value]!, 0.3)
  }

  useEffect(() => {
    const text = words.value.trim()
    if (text === '') {
      found.value = []
      state.value = ''
      return unmarkWords()
    }
    const control = new AbortController()
    const timer = setTimeout(async () => {
      state.value = 'searching'
      try {
        const address = apiAddress('read', { target: conversation.session, grep: text })
        const answer = await get<{ items: Item[] }>(address, control.signal)
        found.value = indexesOf(answer.items, conversation.outline.peek())
        state.value = ''
        const nearest = found.value.findIndex((index) => index >= viewport.first.peek())
        if (found.value.length > 0) go(Math.max(0, nearest))
      } catch {
        if (!control.signal.aborted) state.value = 'failed'
      }
    }, PAUSE_MS)
    return () => {
      control.abort()
      clearTimeout(timer)
    }
  }, [words.value])

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
