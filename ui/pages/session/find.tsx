import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask, type Item } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import { Button } from '../../parts/controls.tsx'
import type { Viewport } from '../../parts/viewport.ts'
import { type Conversation, paced } from './conversation.ts'
import { showItem } from './keys.ts'
import { letterOf, type Shape } from './rows.ts'

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

const PAUSE_MS = 150

interface Found {
  words: Signal<string>
  /** The indexes of the items that contain the words, and which of them is shown. */
  found: Signal<readonly number[]>
  at: Signal<number>
  state: Signal<'' | 'searching' | 'failed'>
  go(to: number): void
}

/** Finds words in the whole session, also where it is not loaded, and again when it grows. */
function useFound(conversation: Conversation, viewport: Viewport): Found {
  const words = useSignal('')
  const found = useSignal<readonly number[]>([])
  const at = useSignal(0)
  const state = useSignal<'' | 'searching' | 'failed'>('')
  const text = words.value.trim()

  const go = (to: number): void => {
    if (found.value.length === 0) return
    at.value = (to + found.value.length) % found.value.length
    showItem({ conversation, viewport }, found.value[at.value]!, 0.3)
  }

  async function search(signal: AbortSignal): Promise<void> {
    const address = ask('read', { target: [conversation.session], grep: text })
    const answer = await get(address, signal)
    found.value = conversation.outline.peek() ? indexesOf(answer.items, conversation.shape.peek()) : []
  }

  useEffect(() => {
    if (text === '') {
      found.value = []
      state.value = ''
      return
    }
    const control = new AbortController()
    const timer = setTimeout(async () => {
      state.value = 'searching'
      try {
        await search(control.signal)
        state.value = ''
        const nearest = found.value.findIndex((index) => index >= viewport.first.peek())
        go(Math.max(0, nearest))
      } catch {
        if (!control.signal.aborted) state.value = 'failed'
      }
    }, PAUSE_MS)
    return () => {
      control.abort()
      clearTimeout(timer)
    }
  }, [text])

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

  return { words, found, at, state, go }
}

/** The indexes of items that `read` found, which states their lines. */
function indexesOf(items: readonly Pick<Item, 'line' | 'who'>[], shape: Shape): number[] {
  const byLine = new Map<number, number[]>()
  for (const [index, line] of shape.line.entries()) {
    const known = byLine.get(line)
    if (known) known.push(index)
    else byLine.set(line, [index])
  }
  const found = new Set<number>()
  for (const item of items) {
    const all = byLine.get(item.line) ?? []
    const index = all.find((each) => shape.who[each] === letterOf(item) && !found.has(each)) ?? all[0]
    if (index !== undefined) found.add(index)
  }
  return [...found].sort((a, b) => a - b)
}

const NAME = 'found'

function unmarkWords(): void {
  CSS.highlights?.delete(NAME)
}

/** Marks words in what an element shows, without changing its elements. */
function markWords(selector: string, text: string): void {
  const root = document.querySelector(selector)
  const words = text.toLowerCase().replaceAll('"', '').split(/\s+/).filter(Boolean)
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
