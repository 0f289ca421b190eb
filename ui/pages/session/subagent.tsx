import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Subagent } from '../../api/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { duration } from '../../text/times.ts'
import { Conversation } from './conversation.ts'
import { RowView } from './row-view.tsx'
import { rowsOf } from './rows.ts'

interface CardProperties {
  subagent: Subagent
  conversation: Conversation
}

/** A subagent where it was started. It opens in place. */
export function SubagentCard({ subagent, conversation }: CardProperties) {
  const key = `subagent ${subagent.session ?? subagent.index}`
  const isOpen = conversation.opened.value.has(key)
  const run = conversation.outline.value?.children.find(({ child }) => child?.session === subagent.session)
  const title = run?.label ?? subagent.title ?? 'Subagent'
  const facts = [
    run?.type,
    run?.toolCalls == null ? undefined : counted(run.toolCalls, 'call'),
    run?.durationMs == null ? undefined : duration(run.durationMs),
    run?.status && run.status !== 'ok' ? run.status : undefined,
  ].filter(Boolean)
  const session = run?.child?.path ?? subagent.session ?? subagent.path
  return (
    <section class="subagent" aria-label={`Subagent ${title}`}>
      <div class="subagent-head">
        <button
          type="button"
          class="subagent-open"
          aria-expanded={isOpen}
          
          onClick={() => conversation.toggle(key)}
        >
          <Icon name="agent" />
          <span class="subagent-title" dir="auto">
            {title}
          </span>
          <span class="subagent-facts">{facts.join(' · ')}</span>
        </button>
        {subagent.session && (
          <a class="quiet" href={sessionAddress(subagent.session)}>
            Open
          </a>
        )}
      </div>
      {isOpen && <Nested session={session} />}
    </section>
  )
}

const STEP = 80

function Nested({ session }: { session: string }) {
  const conversation = useMemo(() => new Conversation(session), [session])
  const [most, setMost] = useState(STEP)
  useEffect(() => {
    conversation.start(false)
    return () => conversation.stop()
  }, [conversation])
  const shape = conversation.shape.value
  const rows = useMemo(() => rowsOf(shape, { layout: 'everything', folded: [] }), [shape])
  const shown = Math.min(most, rows.length)
  const last = shown === 0 ? 0 : rows.row(shown - 1).to
  useEffect(() => conversation.need(0, last), [conversation, last])
  void conversation.arrived.value
  if (conversation.failure.value && rows.length === 0)
    return <p class="error-words">{conversation.failure.value.message}</p>
  if (rows.length === 0) return <Skeleton lines={3} />
  return (
    <div class="nested">
      {Array.from({ length: shown }, (_, index) => (
        <RowView key={rows.key(index)} conversation={conversation} rows={rows} index={index} chosen={undefined} />
      ))}
      {shown < rows.length && (
        <button type="button" class="quiet more" onClick={() => setMost(most + STEP)}>
          {`Show ${Math.min(STEP, rows.length - shown)} more of ${rows.length}`}
        </button>
      )}
    </div>
  )
}
