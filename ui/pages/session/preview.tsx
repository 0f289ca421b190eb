import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { AgentBadge } from '../../parts/agent-badge.tsx'
import { Button } from '../../parts/controls.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Time } from '../../parts/page.tsx'
import { Star } from '../../parts/session-line.tsx'
import { Viewport } from '../../parts/viewport.ts'
import { marksOf } from '../../state/marks.ts'
import { navigate, projectAddress, sessionAddress } from '../../state/router.ts'
import { counted, modelName, titleOf } from '../../text/format.ts'
import { duration, ms } from '../../text/times.ts'
import { Conversation, useFollowing } from './conversation.ts'
import { copyResume, headingOf, NotShown } from './header.tsx'
import { List, useRows } from './list.tsx'
import { Strip } from './strip.tsx'

/** A session beside the list: its conversation from the end, without keys of its own. */
export function Preview({ id }: { id: string }) {
  const conversation = useMemo(() => new Conversation(id), [id])
  const viewport = useMemo(() => new Viewport('end'), [id])
  useEffect(() => {
    conversation.start(true)
    return () => conversation.stop()
  }, [conversation])
  const rows = useRows(conversation, 'everything')
  useFollowing(
    conversation,
    useCallback(() => viewport.atEnd.peek(), [viewport]),
  )
  const failure = conversation.failure.value
  const isEmpty = conversation.outline.value !== undefined && rows.length === 0
  return (
    <>
      <Head conversation={conversation} />
      <div class="session-body">
        <div class="conversation">
          {failure && rows.length === 0 && <NotShown failure={failure} />}
          {isEmpty && (
            <Empty title="This session has no messages">Its records contain nothing to show.</Empty>
          )}
          {rows.length === 0 && !failure && !isEmpty && (
            <div class="conversation-waiting">
              <Skeleton lines={9} />
            </div>
          )}
          <List conversation={conversation} rows={rows} viewport={viewport} />
        </div>
        <Strip conversation={conversation} rows={rows} viewport={viewport} />
      </div>
    </>
  )
}

function Head({ conversation }: { conversation: Conversation }) {
  const row = conversation.outline.value?.session
  const failure = conversation.failure.value
  if (!row)
    return (
      <header class="preview-head">
        <div class="preview-top">
          <h2 class="preview-title">{failure ? headingOf(failure) : ' '}</h2>
        </div>
        <p class="session-facts"> </p>
      </header>
    )
  const started = ms(row.startedAt)
  const ended = ms(row.lastActivityAt)
  return (
    <header class="preview-head">
      <div class="preview-top">
        <AgentBadge platform={row.platform} agent={row.agent} />
        <h2 class="preview-title" dir="auto">
          <a href={sessionAddress(row.id)}>{marksOf(row).name || titleOf(row)}</a>
        </h2>
        <span class="preview-actions">
          <Star row={row} />
          <Button
            label="Copy the command that resumes it"
            icon="play"
            bare
            onClick={() => void copyResume(row)}
          />
          <Button label="Open" keys="Enter" onClick={() => navigate(sessionAddress(row.id))}>
            <kbd>↵</kbd>
          </Button>
        </span>
      </div>
      <p class="session-facts">
        {row.open && <span class="live-mark">open now</span>}
        {row.project && (
          <a href={projectAddress(row.project)} dir="auto">
            {row.project}
          </a>
        )}
        {row.model && <span dir="auto">{modelName(row.model)}</span>}
        {started !== undefined && (
          <span>
            <Time at={started} />
            {ended !== undefined && ended - started > 60_000 && `, ${duration(ended - started)}`}
          </span>
        )}
        <span>{counted(row.messages.human + row.messages.agent, 'message')}</span>
        {row.errors > 0 && <span class="error-words">{counted(row.errors, 'error')}</span>}
      </p>
    </header>
  )
}
