import type { ComponentChildren } from 'preact'
import type { Item } from '../../api/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { counted } from '../../text/figures.ts'
import { fileName } from '../../text/names.ts'
import type { Conversation } from './conversation.ts'
import { ItemLink } from './item-link.tsx'
import { RecordDetails } from './record.tsx'
import { SubagentCard } from './subagent.tsx'

interface RunProperties {
  conversation: Conversation
  from: number
  to: number
  /** Differs whenever an item of the run has arrived. Properties that stay the same are not drawn again. */
  arrived: unknown
}

/** One tool call with its error, if it failed. */
interface CallLine {
  index: number
  item: Item | undefined
  error: Item | undefined
}

function callsOf(conversation: Conversation, from: number, to: number): CallLine[] {
  const { who } = conversation.shape.peek()
  const calls: CallLine[] = []
  for (let index = from; index < to; index++) {
    const item = conversation.item(index)
    const last = calls.at(-1)
    const belongs =
      who[index] === 'e' && last && !last.error && (!item?.tool || last.item?.tool?.name === item.tool.name)
    if (belongs) last.error = item
    else calls.push({ index, item, error: who[index] === 'e' ? item : undefined })
  }
  return calls
}

/** What a run did, in few words: `Read store.js, Edit ×2, Bash npm test`. */
function summary(calls: readonly CallLine[]): { name: string; target: string; times: number }[] {
  const groups: { name: string; target: string; times: number }[] = []
  for (const { item } of calls) {
    const name = item?.tool?.name ?? '…'
    const target = shortTarget(item?.tool?.target)
    const last = groups.at(-1)
    if (last?.name === name) {
      last.times++
      if (last.target !== target) last.target = ''
    } else groups.push({ name, target, times: 1 })
  }
  return groups
}

function shortTarget(target: string | null | undefined): string {
  if (!target) return ''
  const line = target.split('\n', 1)[0]!
  return /^[~/.][^\s]*$/.test(line) ? fileName(line) : line.slice(0, 80)
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
          <ul class="run-body calls">
            {calls.map((call) => (
              <CallRow key={call.index} conversation={conversation} call={call} />
            ))}
          </ul>
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

function CallRow({ conversation, call }: { conversation: Conversation; call: CallLine }) {
  const key = `call ${call.index}`
  const isOpen = conversation.opened.value.has(key)
  return (
    <li class="call">
      <RunHead conversation={conversation} opens={key} item={call.item}>
        <span class="run-names">
          <span class="run-name">
            <b>{call.item?.tool?.name ?? '…'}</b>
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

function ErrorLine({ conversation, item }: { conversation: Conversation; item: Item | undefined }) {
  if (!item) return null
  return (
    <div class="error-row">
      <p class="error-line" dir="auto">
        {item.sure === false && <span class="error-maybe">possibly failed: </span>}
        {item.text ?? 'failed'}
      </p>
      <ItemLink conversation={conversation} item={item} what="error" />
    </div>
  )
}
