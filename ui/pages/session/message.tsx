import { useSignal } from '@preact/signals'
import type { Item } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { copy } from '../../parts/toast.tsx'
import { brief, count } from '../../text/figures.ts'
import { Markdown } from '../../text/markdown.tsx'
import { modelName } from '../../text/names.ts'
import { Plain } from '../../text/plain.tsx'
import type { Conversation } from './conversation.ts'
import { Images } from './images.tsx'
import { ItemLink } from './item-link.tsx'
import { RecordDetails } from './record.tsx'
import { NAMES } from './speakers.ts'

/** Longer messages are cut until the person asks for the rest. */
const MOST_CHARACTERS = 12_000

interface MessageProperties {
  conversation: Conversation
  item: Item | undefined
  index: number
  /** The row before is from the same agent. */
  isFollowing: boolean
}

export function Message({ conversation, item, index, isFollowing }: MessageProperties) {
  if (!item) return <Waiting letter={conversation.shape.peek().who[index]} />
  const key = `record ${index}`
  const isOpen = conversation.opened.value.has(key)
  const name = item.label ? `${NAMES[item.who] ?? item.who} · ${item.label}` : (NAMES[item.who] ?? item.who)
  const isNamed = item.who !== 'agent' || !isFollowing || item.label !== undefined
  return (
    <article class="message" data-who={item.who} data-off={item.offBranch} aria-label={name}>
      <header class={isNamed ? 'message-head' : 'message-head unnamed'}>
        <span class="speaker" dir="auto">
          {isNamed ? name : ''}
          {isNamed && item.model && <span class="model">{modelName(item.model)}</span>}
        </span>
        <span class="message-tools">
          <Button
            label="Copy as Markdown"
            icon="copy"
            bare
            onClick={() => copy(item.text ?? '', 'the message')}
          />
          {item.who === 'agent' && (
            <Button
              label={isOpen ? 'Hide thinking and usage' : 'Show thinking and usage'}
              icon="down"
              bare
              expanded={isOpen}
              onClick={() => conversation.toggle(key)}
            />
          )}
        </span>
        <ItemLink conversation={conversation} item={item} what="message" />
      </header>
      <Words item={item} />
      {item.media && <Images conversation={conversation} line={item.line} names={item.media} />}
      {isOpen && (
        <div class="message-details">
          {item.usage && (
            <p class="usage">
              {`${brief(item.usage.input)} in · ${brief(item.usage.cacheRead)} from cache · ${brief(item.usage.output)} out`}
              {item.stopReason && ` · ${item.stopReason}`}
            </p>
          )}
          <RecordDetails conversation={conversation} line={item.line} thinkingOnly />
        </div>
      )}
    </article>
  )
}

function Words({ item }: { item: Item }) {
  const isWhole = useSignal(false)
  const text = item.text ?? ''
  const isCut = text.length > MOST_CHARACTERS && !isWhole.value
  const shown = isCut ? text.slice(0, MOST_CHARACTERS).toWellFormed() : text
  return (
    <div class="words">
      {item.who === 'agent' ? <Markdown text={shown} /> : <Plain text={shown} />}
      {isCut && (
        <button
          type="button"
          class="quiet more"
          onClick={() => {
            isWhole.value = true
          }}
        >
          {`Show the other ${count(text.length - MOST_CHARACTERS)} characters`}
        </button>
      )}
    </div>
  )
}

function Waiting({ letter }: { letter: string | undefined }) {
  return (
    <div class="message waiting" data-who={letter === 'h' ? 'human' : 'agent'} aria-hidden="true">
      <div class="skeleton">
        <span />
        <span />
      </div>
    </div>
  )
}
