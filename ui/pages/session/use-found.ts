import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import type { Viewport } from '../../parts/viewport.ts'
import { paced } from '../../state/paced.ts'
import type { Conversation } from './conversation.ts'
import { showItem } from './current.ts'
import { indexesOf } from './found.ts'

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
export function useFound(conversation: Conversation, viewport: Viewport): Found {
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
