import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { Button } from '../../parts/controls.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { useTitle } from '../../parts/page.tsx'
import { Viewport } from '../../parts/viewport.ts'
import { query, segments, setQuery } from '../../state/router.ts'
import { counted, titleOf } from '../../text/format.ts'
import { Conversation, useFollowing } from './conversation.ts'
import { Find } from './find.tsx'
import { Header, headingOf } from './header.tsx'
import { stepToError, type Tab, useDeepLink, useSessionKeys } from './keys.ts'
import { List, useRows } from './list.tsx'
import { Minimap } from './outline.tsx'
import { Panel } from './panel.tsx'
import { layoutOf } from './rows.ts'

export function SessionPage() {
  const [, id = '', line] = segments.value
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
  return (
    <main class="page page-fixed session" id="content" tabIndex={-1}>
      <Header
        conversation={conversation}
        layout={layout}
        isPanelOpen={isPanelOpen}
        isFinding={isFinding}
        onError={() => stepToError({ conversation, viewport }, 1)}
        onChanges={() => showTab('changes')}
      />
      {isFinding.value && (
        <Find conversation={conversation} viewport={viewport} onClose={() => close(isFinding)} />
      )}
      <div class="session-body" data-panel={isPanelOpen.value}>
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
            <div class="empty failed" role="alert">
              <p class="empty-words">{`${failure.value.message} ${failure.value.hint ?? ''}`}</p>
              <p class="empty-words">
                {failure.value.status === 404 ? (
                  <a href="/sessions">See all sessions</a>
                ) : (
                  <Button label="Try again" onClick={() => conversation.start(line === undefined)} />
                )}
              </p>
            </div>
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
        {!isMissing && <Minimap conversation={conversation} rows={rows} viewport={viewport} />}
      </div>
    </main>
  )
}

const close = (open: { value: boolean }): void => {
  open.value = false
}
