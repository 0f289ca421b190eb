import type { ComponentChildren } from 'preact'
import type { Item } from '../../api/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { type CallLine, nameOf } from './calls.ts'
import type { Conversation } from './conversation.ts'
import { ItemLink } from './item-link.tsx'
import { RecordDetails } from './record.tsx'

/** A call of an open run, which opens to its input and output. */
export function CallRow({ conversation, call }: { conversation: Conversation; call: CallLine }) {
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
export function CallDetails({ conversation, call }: { conversation: Conversation; call: CallLine }) {
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
export function RunHead({ conversation, opens, item, children }: HeadProperties) {
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

export function ErrorLine({ conversation, item }: { conversation: Conversation; item: Item | undefined }) {
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
