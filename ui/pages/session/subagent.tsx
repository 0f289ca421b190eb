import { useContext } from 'preact/hooks'
import type { Outline as OutlineAnswer, Subagent } from '../../api/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'
import { duration } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'
import { NestedContext } from './nested-context.ts'

/** What its starter called it, or else what it was asked. */
export const subagentName = ({ session, title }: Subagent, children: OutlineAnswer['children']): string =>
  children.find(({ child }) => child?.session === session)?.label ?? title ?? 'Subagent'

interface CardProperties {
  subagent: Subagent
  conversation: Conversation
}

/** A subagent where it was started. It opens in place. */
export function SubagentCard({ subagent, conversation }: CardProperties) {
  const nested = useContext(NestedContext)
  const key = `subagent ${subagent.session ?? subagent.index}`
  const isOpen = conversation.opened.value.has(key)
  const run = conversation.outline.value?.children.find(({ child }) => child?.session === subagent.session)
  const title = subagentName(subagent, conversation.outline.value?.children ?? [])
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
      {isOpen && nested(session)}
    </section>
  )
}
