import { type ComponentChildren, createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { Item, Outline as OutlineAnswer, Subagent } from '../../api/ask.ts'
import { Icon } from '../../parts/controls.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/format.ts'
import { duration } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'
import { ItemLink } from './message.tsx'
import { RecordDetails } from './record.tsx'
import { type CallLine, callsOf, foldSame, nameOf, summary } from './rows.ts'

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
        foldSame(errors).map(({ index, error, times }) => (
          <ErrorLine key={index} conversation={conversation} item={error} times={times} />
        ))}
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
        <SubagentCard key={subagent.run} subagent={subagent} conversation={conversation} />
      ))}
    </div>
  )
}

/** So many calls are drawn at once. A run may have thousands. */
const MOST = 200

interface ListProperties {
  conversation: Conversation
  calls: readonly CallLine[]
}

/** The calls of an open run: the first ones, or those around the current one. */
function CallList({ conversation, calls }: ListProperties) {
  const current = conversation.current.value
  const at = calls.findIndex(({ index }) => index === current)
  const [shown, setShown] = useState(() => around(at))
  const isShown = at < 0 || (at >= shown.from && at < shown.to)
  const { from, to } = isShown ? shown : around(at)
  const later = calls.length - to
  return (
    <>
      {from > 0 && (
        <More many={from} which="earlier" onClick={() => setShown({ from: Math.max(0, from - MOST), to })} />
      )}
      <ul class="run-body calls">
        {calls.slice(from, to).map((call) => (
          <CallRow key={call.index} conversation={conversation} call={call} />
        ))}
      </ul>
      {later > 0 && <More many={later} which="later" onClick={() => setShown({ from, to: to + MOST })} />}
    </>
  )
}

const around = (at: number): { from: number; to: number } => {
  const from = Math.max(0, at - MOST / 2)
  return { from, to: from + MOST }
}

interface MoreProperties {
  many: number
  which: 'earlier' | 'later'
  onClick(): void
}

function More({ many, which, onClick }: MoreProperties) {
  return (
    <button type="button" class="quiet more" onClick={onClick}>
      {`Show ${Math.min(MOST, many)} more of ${counted(many, `${which} call`)}`}
    </button>
  )
}

/** A call of an open run, which opens to its input and output. */
function CallRow({ conversation, call }: { conversation: Conversation; call: CallLine }) {
  const key = `call ${call.index}`
  const isOpen = conversation.opened.value.has(key)
  return (
    <li class="call" data-key={call.index} data-current={conversation.current.value === call.index}>
      <RunHead conversation={conversation} opens={key} item={call.item}>
        <span class="run-names">
          <span class="run-name">
            <b>{nameOf(call.item)}</b>
            <span class="target" dir="auto" title={call.item?.tool?.target ?? undefined}>
              {call.item?.tool?.target ?? ''}
            </span>
          </span>
        </span>
        {call.error && <span class="run-failed">failed</span>}
      </RunHead>
      {call.error && <ErrorLine conversation={conversation} item={call.error} />}
      {isOpen && <CallDetails conversation={conversation} call={call} />}
    </li>
  )
}

/** A record can contain several calls; the items of its line are in their order. */
function CallDetails({ conversation, call }: { conversation: Conversation; call: CallLine }) {
  const { item, index } = call
  if (!item) return null
  let position = 0
  for (let before = index - 1; conversation.item(before)?.line === item.line; before--)
    if (conversation.item(before)!.who === 'tool') position++
  return (
    <RecordDetails conversation={conversation} line={item.line} position={position} name={item.tool?.name} />
  )
}

interface HeadProperties {
  conversation: Conversation
  /** The key of what it opens. */
  opens: string
  item: Item | undefined
  children: ComponentChildren
}

/** The line that opens a run or a call, and the link to the call. */
function RunHead({ conversation, opens, item, children }: HeadProperties) {
  const isOpen = conversation.opened.value.has(opens)
  return (
    <div class="run-head">
      <button
        type="button"
        class="run-line"
        aria-expanded={isOpen}
        onClick={() => conversation.toggle(opens)}
      >
        <Icon name="chevron" />
        {children}
      </button>
      {item && (
        <ItemLink conversation={conversation} item={item} what={item.who === 'error' ? 'error' : 'call'} />
      )}
    </div>
  )
}

interface ErrorProperties {
  conversation: Conversation
  item: Item | undefined
  /** How often it occurs in a row. */
  times?: number
}

function ErrorLine({ conversation, item, times = 1 }: ErrorProperties) {
  if (!item) return null
  return (
    <div class="error-row">
      <p class="error-line" dir="auto">
        {item.sure === false && <span class="error-maybe">possibly failed: </span>}
        {item.text ?? 'failed'}
        {times > 1 && <span class="times">{` ×${times}`}</span>}
      </p>
      <ItemLink conversation={conversation} item={item} what="error" />
    </div>
  )
}

/** What its starter called it, or else what it was asked. */
export const subagentName = ({ run, title }: Subagent, children: OutlineAnswer['children']): string =>
  children.find(({ id }) => id === run)?.label ?? title ?? 'Subagent'

interface CardProperties {
  subagent: Subagent
  conversation: Conversation
}

/** A subagent where it was started. It opens in place. */
function SubagentCard({ subagent, conversation }: CardProperties) {
  const nested = useContext(NestedContext)
  const key = `subagent ${subagent.run}`
  const isOpen = conversation.opened.value.has(key)
  const run = conversation.outline.value?.children.find(({ id }) => id === subagent.run)
  const title = subagentName(subagent, conversation.outline.value?.children ?? [])
  const facts = [
    run?.type,
    run?.toolCalls == null ? undefined : counted(run.toolCalls, 'call'),
    run?.durationMs == null ? undefined : duration(run.durationMs),
    run?.status && run.status !== 'ok' ? run.status : undefined,
  ].filter(Boolean)
  const isInside = subagent.own.length > 0
  const session = run?.child?.path ?? subagent.session ?? subagent.path
  // One that said nothing has no words in its parent.
  const hasWords = isInside || session !== conversation.outline.value?.session.path
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
      {isOpen && hasWords && nested(session, isInside ? subagent.run : undefined)}
    </section>
  )
}

/**
 * Draws the conversation of a subagent: that of a session, or of a run in one. A context, because such a conversation
 * contains the same rows again.
 */
export const NestedContext = createContext<(session: string, run: string | undefined) => ComponentChildren>(
  () => null,
)
