import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Viewport } from '../../parts/viewport.ts'
import { useTitle } from '../../shell/page.tsx'
import { query, segments, setQuery } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { titleOf } from '../../text/names.ts'
import { Conversation } from './conversation.ts'
import { Find } from './find.tsx'
import { useFollowing } from './following.ts'
import { Header } from './header.tsx'
import { useSessionKeys } from './keys.ts'
import { List } from './list.tsx'
import { Minimap } from './minimap.tsx'
import { Panel } from './panel.tsx'
import { LAYOUTS, type Layout, rowsOf, type Span } from './rows.ts'

export function SessionPage() {
  const [, id = '', line] = segments.value
  return <Session key={id} id={id} line={line === undefined ? undefined : Number(line)} />
}

const layoutOf = (text: string): Layout => LAYOUTS.find((layout) => layout === text) ?? 'everything'

const isWide = (): boolean => window.matchMedia('(min-width: 1200px)').matches

function Session({ id, line }: { id: string; line: number | undefined }) {
  const conversation = useMemo(() => new Conversation(id), [id])
  const viewport = useMemo(() => new Viewport(line === undefined ? 'end' : 'begin'), [id])
  const isPanelOpen = useSignal(isWide())
  const isFinding = useSignal(false)
  const layout = layoutOf(query('layout'))

  useEffect(() => {
    conversation.start(line === undefined)
    return () => conversation.stop()
  }, [conversation])

  const outline = conversation.outline.value
  const shape = conversation.shape.value
  const folded = useFolded(conversation)
  const rows = useMemo(() => rowsOf(shape, { layout, folded }), [shape, layout, folded])
  const unread = conversation.unreadFrom.value

  useFollowing(
    conversation,
    useCallback(() => viewport.atEnd.peek(), [viewport]),
  )
  useDeepLink(conversation, viewport, line)
  useSessionKeys({ conversation, viewport, rows, layout, isPanelOpen, isFinding })
  useTitle(outline ? titleOf(outline.session) : 'Session')

  const { failure } = conversation
  const isEmpty = outline !== undefined && outline.count === 0 && rows.length === 0
  return (
    <main class="page page-fixed session" id="content" tabIndex={-1}>
      <Header conversation={conversation} layout={layout} isPanelOpen={isPanelOpen} isFinding={isFinding} />
      {isFinding.value && (
        <Find conversation={conversation} viewport={viewport} onClose={() => close(isFinding)} />
      )}
      <div class="session-body" data-panel={isPanelOpen.value}>
        <div class="conversation">
          {failure.value && rows.length === 0 && (
            <div class="empty failed" role="alert">
              <p class="empty-title">
                {failure.value.status === 404
                  ? 'There is no such session'
                  : 'The session could not be loaded'}
              </p>
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
          <List conversation={conversation} rows={rows} viewport={viewport} chosen={line} />
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
        <Minimap conversation={conversation} rows={rows} viewport={viewport} />
        {isPanelOpen.value && (
          <Panel conversation={conversation} viewport={viewport} onClose={() => close(isPanelOpen)} />
        )}
      </div>
    </main>
  )
}

const close = (open: { value: boolean }): void => {
  open.value = false
}

/** The abandoned branches that the person has not opened. */
function useFolded(conversation: Conversation): readonly Span[] {
  const off = conversation.outline.value?.off ?? NONE
  const open =
    off.length === 0
      ? ''
      : off
          .filter(({ from }) => conversation.opened.value.has(`branch ${from}`))
          .map(({ from }) => from)
          .join()
  return useMemo(
    () => off.filter(({ from }) => !conversation.opened.peek().has(`branch ${from}`)),
    [off, open],
  )
}

const NONE: readonly Span[] = []

/** Shows the message that the address names. */
function useDeepLink(conversation: Conversation, viewport: Viewport, line: number | undefined): void {
  const outline = conversation.outline.value
  const isReady = outline !== undefined
  useEffect(() => {
    if (line === undefined || !outline) return
    const index = indexOfLine(conversation.shape.peek().line, line)
    if (index === undefined) return
    if (query('layout') !== '') setQuery({ layout: '' })
    for (const { from, to } of outline.off)
      if (index >= from && index < to && !conversation.opened.peek().has(`branch ${from}`))
        conversation.toggle(`branch ${from}`)
    conversation.need(index - 20, index + 40)
    viewport.show(index)
  }, [conversation, viewport, line, isReady])
}

/** The item of a line, or the one before it: the line of a link may be that of a tool result. */
export function indexOfLine(lines: readonly number[], line: number): number | undefined {
  const exact = lines.indexOf(line)
  if (exact >= 0) return exact
  const after = lines.findIndex((each) => each > line)
  return after > 0
    ? after - 1
    : lines.length > 0
      ? Math.max(0, after === 0 ? 0 : lines.length - 1)
      : undefined
}
