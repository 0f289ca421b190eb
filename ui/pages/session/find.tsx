import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import { Button } from '../../parts/controls.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { query } from '../../state/router.ts'
import { filtersIn, without } from '../query-filters.ts'
import { type Conversation, paced, summed } from './conversation.ts'
import { showOpened } from './keys.ts'

interface FindProperties {
  conversation: Conversation
  viewport: Viewport
  onClose(): void
}

/** The field of words and filters to find, and how many items match. */
export function Find({ conversation, viewport, onClose }: FindProperties) {
  const { words, found, at, state, remarks, go } = useFound(conversation, viewport)

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
      ? remarks.value
      : state.value === 'searching'
        ? 'searching'
        : words.value.trim() === ''
          ? ''
          : [
              found.value.length === 0 ? 'nothing found' : `${at.value + 1} of ${found.value.length}`,
              remarks.value,
            ]
              .filter(Boolean)
              .join(' · ')
  return (
    <search class="find">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to find something, unless a link did.
        autoFocus={query('find') === ''}
        type="search"
        aria-label="Find in this session"
        placeholder="Words, is:error, who:agent, tool:Bash"
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

const PAUSE_MS = 150

interface Found {
  words: Signal<string>
  /** The indexes of the items that match, and which of them is shown. Empty while others are looked for. */
  found: Signal<readonly number[]>
  at: Signal<number>
  state: Signal<'' | 'searching' | 'failed'>
  /** Why it failed, or what was not understood as it may have been meant. */
  remarks: Signal<string>
  go(to: number): void
}

/** Finds words and filters in the whole session, also where it is not loaded, and again when it grows. */
function useFound(conversation: Conversation, viewport: Viewport): Found {
  const asked = query('find')
  const words = useSignal(asked)
  const found = useSignal<readonly number[]>([])
  const at = useSignal(0)
  const state = useSignal<Found['state']['value']>('')
  const remarks = useSignal('')
  const text = words.value.trim()
  const isReady = conversation.outline.value !== undefined

  const go = (to: number): void => {
    if (found.value.length === 0) return
    at.value = (to + found.value.length) % found.value.length
    showOpened({ conversation, viewport }, found.value[at.value]!, 0.3)
  }

  async function search(signal: AbortSignal): Promise<void> {
    const address = ask('positions', { session: conversation.session, query: text })
    const answer = await get(address, signal)
    found.value = summed(answer.positions)
    remarks.value = answer.remarks.join(' · ')
  }

  useEffect(() => {
    if (asked !== '') words.value = asked
  }, [asked])

  useEffect(() => {
    found.value = []
    remarks.value = ''
    state.value = text === '' ? '' : 'searching'
    if (text === '' || !isReady) return
    const control = new AbortController()
    const timer = setTimeout(async () => {
      try {
        await search(control.signal)
        state.value = ''
        const begin = conversation.current.peek() ?? viewport.first.peek()
        go(
          Math.max(
            0,
            found.value.findIndex((index) => index >= begin),
          ),
        )
      } catch (error) {
        if (control.signal.aborted) return
        state.value = 'failed'
        remarks.value = error instanceof Error ? error.message : String(error)
      }
    }, PAUSE_MS)
    return () => {
      control.abort()
      clearTimeout(timer)
    }
  }, [text, isReady])

  useEffect(() => {
    if (text === '') return
    const control = new AbortController()
    const again = paced(async () => {
      const shown = found.value[at.value]
      // If that fails, what was found stays.
      await search(control.signal).catch(() => {})
      at.value = Math.max(0, shown === undefined ? 0 : found.value.indexOf(shown))
    })
    let { count } = conversation
    const stop = conversation.shape.subscribe(({ who }) => {
      if (who.length > count) again.ask()
      count = who.length
    })
    return () => {
      stop()
      again.stop()
      control.abort()
    }
  }, [conversation, text])

  return { words, found, at, state, remarks, go }
}

const NAME = 'found'

function unmarkWords(): void {
  CSS.highlights?.delete(NAME)
}

/** Marks words in what an element shows, without changing its elements. */
function markWords(selector: string, text: string): void {
  const root = document.querySelector(selector)
  const plain = without(text, filtersIn(text)).toLowerCase()
  const words = plain
    .split(/[\s"“”„‟*|()]+/)
    .filter((word) => word !== '' && word !== 'or' && !word.startsWith('-'))
  if (!root || words.length === 0 || CSS.highlights === undefined) {
    unmarkWords()
    return
  }
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const content = node.textContent!.toLowerCase()
    for (const word of words) {
      for (let at = content.indexOf(word); at >= 0; at = content.indexOf(word, at + word.length)) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, Math.min(at + word.length, node.textContent!.length))
        ranges.push(range)
      }
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges))
}
