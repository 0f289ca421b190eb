import { counted } from '../../text/figures.ts'
import { CallDetails, ErrorLine, RunHead } from './call.tsx'
import { CallList } from './call-list.tsx'
import { callsOf, summary } from './calls.ts'
import type { Conversation } from './conversation.ts'
import { SubagentCard } from './subagent.tsx'

interface RunProperties {
  conversation: Conversation
  from: number
  to: number
  /** Differs whenever an item of the run has arrived. Properties that stay the same are not drawn again. */
  arrived: unknown
}

const MOST_NAMED = 6

export function Run({ conversation, from, to }: RunProperties) {
  const calls = callsOf(conversation, from, to)
  const key = `run ${from}`
  const isOpen = conversation.opened.value.has(key)
  const errors = calls.filter(({ error }) => error)
  const only = calls.length === 1 ? calls[0]! : undefined
  const subagents = (conversation.outline.value?.subagents ?? []).filter(
    ({ index }) => index >= from && index < to,
  )
  const groups = summary(calls)
  return (
    <div class="run" data-open={isOpen}>
      <RunHead conversation={conversation} opens={key} item={calls[0]?.item}>
        {!only && <span class="run-count">{counted(calls.length, 'call')}</span>}
        <span class="run-names">
          {groups.slice(0, MOST_NAMED).map((group, index) => (
            <span class="run-name" key={index}>
              <b>{group.name}</b>
              {group.times > 1 && <span class="times">{`×${group.times}`}</span>}
              {group.target && (
                <span class="target" dir="auto">
                  {group.target}
                </span>
              )}
            </span>
          ))}
          {groups.length > MOST_NAMED && (
            <span class="run-name">{`and ${groups.length - MOST_NAMED} more`}</span>
          )}
        </span>
        {errors.length > 0 && <span class="run-failed">{only ? 'failed' : `${errors.length} failed`}</span>}
      </RunHead>
      {!isOpen &&
        errors.map(({ index, error }) => <ErrorLine key={index} conversation={conversation} item={error} />)}
      {isOpen &&
        (only ? (
          <div class="run-body">
            {only.error && <ErrorLine conversation={conversation} item={only.error} />}
            <CallDetails conversation={conversation} call={only} />
          </div>
        ) : (
          <CallList conversation={conversation} calls={calls} />
        ))}
      {subagents.map((subagent) => (
        <SubagentCard
          key={subagent.session ?? subagent.index}
          subagent={subagent}
          conversation={conversation}
        />
      ))}
    </div>
  )
}
