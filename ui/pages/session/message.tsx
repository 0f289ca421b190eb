import { useSignal } from '@preact/signals'
import type { Item } from '../../api/ask.ts'
import { Button } from '../../parts/controls.tsx'
import { copy } from '../../parts/notice.tsx'
import { Time } from '../../parts/page.tsx'
import { sessionAddress } from '../../state/router.ts'
import { brief, count, modelName } from '../../text/format.ts'
import { Markdown, Plain } from '../../text/prose.tsx'
import { timeOfDay } from '../../text/times.ts'
import type { Conversation } from './conversation.ts'
import { Images, RecordDetails } from './record.tsx'

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
          <Button
            label="Copy the link"
            icon="link"
            bare
            onClick={() => copy(addressOf(conversation, item), 'the link to the message')}
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

const WORDS: Record<string, string> = {
  compaction: 'The context was compacted',
  interruption: 'Interrupted',
  denial: 'A tool call was denied',
  reset: 'Reset',
  branch: 'A new branch begins: the messages before were taken back',
  'local-command': 'A command for the client',
  'model-change': 'The model changed',
  retry: 'Tried again',
  note: 'Note',
}

/** A compaction, an interruption, and so on, as a line across the conversation. */
export function Marker({ conversation, item }: { conversation: Conversation; item: Item | undefined }) {
  const name = item?.marker ?? ''
  return (
    <p class="marker" data-marker={name}>
      <span class="marker-words" dir="auto">
        {item ? (WORDS[name] ?? (name || 'Note')) : '…'}
        {item?.text && <span class="marker-text">{` · ${item.text}`}</span>}
        {item && (
          <>
            {' · '}
            <ItemLink conversation={conversation} item={item} what="marker" />
          </>
        )}
      </span>
    </p>
  )
}

interface LinkProperties {
  conversation: Conversation
  item: Item
  what: 'message' | 'call' | 'error' | 'marker'
}

/** The whole address of an item, to be shared. */
const addressOf = (conversation: Conversation, { session, line }: Item): string =>
  new URL(sessionAddress(conversation.outline.peek()?.session.id ?? session, line), window.location.href).href

/** The address of an item, shown as its time. */
export function ItemLink({ conversation, item, what }: LinkProperties) {
  const id = conversation.outline.value?.session.id ?? item.session
  return (
    <a class="message-link" href={sessionAddress(id, item.line)} title={`Link to this ${what}`}>
      {item.at === null ? `line ${item.line}` : <Time at={item.at} text={timeOfDay} />}
    </a>
  )
}

/** How the page names speakers. */
export const NAMES: Record<string, string> = { human: 'You', agent: 'Agent', program: 'Program' }

/** Speakers by their letters in a shape. */
export const WHO: Record<string, string> = { h: 'human', a: 'agent', p: 'program' }
