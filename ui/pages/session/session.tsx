import { type Signal, useSignal } from '@preact/signals'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import { get } from '../../api/client.ts'
import { Button } from '../../parts/controls.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { useTitle } from '../../parts/page.tsx'
import { Viewport } from '../../parts/viewport.ts'
import { hasMoved, query, segments, setQuery } from '../../state/router.ts'
import { counted, titleOf } from '../../text/format.ts'
import { filtersIn, MOST_LETTERS, without } from '../query-filters.ts'
import { Conversation, paced, summed, useFollowing } from './conversation.ts'
import { Header, headingOf, NotShown } from './header.tsx'
import { type Tab, useSessionKeys } from './keys.ts'
import { List, useRows } from './list.tsx'
import { Panel } from './panel.tsx'
import { layoutOf } from './rows.ts'
import { showOpened, useDeepLink } from './steps.ts'
import { Strip } from './strip.tsx'

export function SessionPage() {
  const [, id = '', line] = segments.value
  // What is no number is no line either.
  return <Session key={id} id={id} line={line === undefined ? undefined : Number(line)} />
}

const isWide = (): boolean => window.matchMedia('(min-width: 1200px)').matches

function Session({ id, line }: { id: string; line: number | undefined }) {
  const conversation = useMemo(() => new Conversation(id), [id])
  const viewport = useMemo(() => new Viewport(line === undefined ? 'end' : 'begin'), [id])
  const isPanelOpen = useSignal(isWide())
  const tab = useSignal<Tab>('outline')
  /** Opens a tab of the panel, or goes back from it to the outline. */
  const showTab = (wanted: Tab): void => {
    tab.value = isPanelOpen.value && tab.value === wanted ? 'outline' : wanted
    isPanelOpen.value = true
    requestAnimationFrame(() => document.getElementById(`tab-${tab.value}`)?.focus())
  }
  // An edit leads to all changes of its file.
  const wantedFile = conversation.wantedFile.value
  useEffect(() => {
    if (wantedFile === undefined) return
    tab.value = 'changes'
    isPanelOpen.value = true
  }, [wantedFile])
  const isFinding = useSignal(query('find') !== '')
  const wanted = query('find')
  useEffect(() => {
    if (wanted !== '') isFinding.value = true
  }, [wanted])
  // What a link wanted to be marked is no longer wanted when the field closes.
  useEffect(
    () =>
      isFinding.subscribe((isOpen) => {
        if (!isOpen && query('find') !== '') setQuery({ find: '' })
      }),
    [],
  )
  const layout = layoutOf(query('layout'))

  useEffect(() => {
    conversation.start(line === undefined)
    return () => conversation.stop()
  }, [conversation])

  const outline = conversation.outline.value
  const rows = useRows(conversation, layout)
  const unread = conversation.unreadFrom.value
  const isThere = rows.length > 0
  // The link that led here had the focus and is gone with its page.
  useEffect(() => {
    if (!isThere || !hasMoved() || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('.conversation-list')?.focus({ preventScroll: true })
  }, [id, isThere])

  useFollowing(
    conversation,
    useCallback(() => viewport.atEnd.peek(), [viewport]),
  )
  useDeepLink(conversation, viewport, line)
  useSessionKeys({ conversation, viewport, rows, isPanelOpen, isFinding, showTab })
  const { failure } = conversation
  useTitle(outline ? titleOf(outline.session) : failure.value ? headingOf(failure.value) : 'Session')
  const isEmpty = outline !== undefined && outline.count === 0 && rows.length === 0
  const isMissing = failure.value !== undefined && outline === undefined
  const last = conversation.shape.value.line.at(-1)
  const isNoLine = line !== undefined && outline && last !== undefined && !(line >= 1 && line <= last)
  return (
    <main class="page page-fixed session" id="content" tabIndex={-1}>
      <Header
        conversation={conversation}
        layout={layout}
        isPanelOpen={isPanelOpen}
        isFinding={isFinding}
        viewport={viewport}
        onChanges={() => showTab('changes')}
      />
      {isNoLine && (
        <p class="remarks" role="status">
          {`This session has no message at line ${segments.value[2]}. Its last one is at line ${last}.`}
        </p>
      )}
      {isFinding.value && (
        <Find conversation={conversation} viewport={viewport} onClose={() => close(isFinding)} />
      )}
      <div class="session-body" data-panel={isPanelOpen.value} data-waiting={isThere && !outline}>
        {/* Before the conversation, which is long, in the order of the tab key. */}
        {isPanelOpen.value && !isMissing && (
          <Panel
            tab={tab}
            conversation={conversation}
            viewport={viewport}
            onClose={() => close(isPanelOpen)}
          />
        )}
        <div class="conversation">
          {failure.value && rows.length === 0 && (
            <NotShown failure={failure.value} again={() => conversation.start(line === undefined)} />
          )}
          {isEmpty && (
            <Empty title="This session has no messages">Its records contain nothing to show.</Empty>
          )}
          {rows.length === 0 && !failure.value && !isEmpty && (
            <div class="conversation-waiting">
              <Skeleton lines={9} />
            </div>
          )}
          <List conversation={conversation} rows={rows} viewport={viewport} />
          {!viewport.atEnd.value && rows.length > 0 && (
            <button
              type="button"
              class="to-end"
              data-unread={unread !== undefined}
              onClick={() => viewport.showEnd()}
            >
              {unread === undefined ? 'To the end' : `${counted(conversation.count - unread, 'new item')}`}
              <span aria-hidden="true"> ↓</span>
            </button>
          )}
        </div>
        {!isMissing && <Strip conversation={conversation} rows={rows} viewport={viewport} />}
      </div>
    </main>
  )
}

const close = (open: { value: boolean }): void => {
  open.value = false
}

interface FindProperties {
  conversation: Conversation
  viewport: Viewport
  onClose(): void
}

/** The field of words and filters to find, and how many items match. */
function Find({ conversation, viewport, onClose }: FindProperties) {
  const { words, found, at, state, remarks, go } = useFound(conversation, viewport)
  const field = useRef<HTMLInputElement>(null)
  // Somebody has just asked to find something, unless a link did. `autofocus` would leave the focus on a tab.
  useLayoutEffect(() => {
    if (query('find') === '') field.current?.focus()
  }, [])

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
        ref={field}
        type="search"
        aria-label="Find in this session"
        placeholder="Words, is:error, who:agent, tool:Bash"
        spellcheck={false}
        maxLength={MOST_LETTERS}
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

  // Without a query, the server reads the texts of the session before the first letter is typed.
  useEffect(() => {
    if (!isReady || text !== '') return
    void get(ask('positions', { session: conversation.session })).catch(() => {})
  }, [isReady])

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
