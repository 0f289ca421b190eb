import type { SessionEvent } from '../event.ts'
import { hashText, type IdHash } from '../hash.ts'
import { IdSet } from '../id-set.ts'
import { textDigest } from '../item-key.ts'
import type { Position } from '../position.ts'
import type { Item } from '../session.ts'
import { createJoinedBlocks } from './joined-blocks.ts'
import type { OfReply, ReplyContext } from './reply-context.ts'
import { IdTable, type IdTableState } from './state/id-table.ts'
import { LongList, type LongListState } from './state/long-list.ts'
import type { ChangedParts } from './state/parts.ts'
import { REPLY_PART } from './state/sizes.ts'

/** The texts of replies read so far, as plain data. */
export interface ReplyTextState {
  replies: IdTableState
  /** See `ReplyMessages`. */
  messages: LongListState<number>
  records: LongListState<number>
  /** The texts of each reply, where clients write their history again under other ids. */
  written?: IdTableState
  /** The digests of the latest replies, which a mirror may repeat. Older versions stored their texts. */
  recent: (number | string)[]
}

/** A text of a reply, with what else came with it. */
export type ReplyText = OfReply &
  Pick<Item, 'label'> & {
    messageId: string
    text: string
    media: string[]
    /** A copy for a channel. */
    mirror: boolean | undefined
  }

/** How many replies are remembered for their mirrors. */
const MIRROR_MEMORY = 8
const NO_RECORD: IdHash = { high: 0, low: 0 }
/** Flags of a reply: it was counted, and a message of it is on an abandoned branch. */
const COUNTED = 1
const LEFT = 2
/** Numbers per message and per record. */
const MESSAGE = 6
const RECORD = 4

/** Folds the texts of replies: counts each reply once, joins its blocks, and leaves out mirrors. */
export function createReplyTexts(
  { keep, push, last: lastItem, grown, parts, traits }: ReplyContext,
  before?: ReplyTextState,
) {
  const replies = new IdTable('replies', parts, before?.replies)
  /** Agent messages: line, order, record and reply (two numbers each). */
  const messages = new LongList('messages', REPLY_PART * MESSAGE, parts, before?.messages)
  /** Which records contain a reply: record and reply. */
  const records = new LongList('records-of-replies', REPLY_PART * RECORD, parts, before?.records)
  /** The latest replies. A text becomes a digest when it is compared or stored. */
  let recent = traits.mirrors ? [...(before?.recent ?? [])] : []
  const written = new IdTable('written', parts, before?.written)
  let holds = true
  const blocks = createJoinedBlocks()
  const record: IdHash = { high: 0, low: 0 }

  const recentDigests = (): number[] => {
    const digests = recent.map(digestOf)
    recent = digests
    return digests
  }

  function count(event: SessionEvent, text: string, reply: IdHash): void {
    if (traits.mirrors && recent.push(text) > MIRROR_MEMORY) recent.shift()
    add(reply)
    if (event.id === undefined) return
    hashText(event.id, record)
    addRecord(record, reply)
  }

  function add(reply: IdHash): void {
    const flags = replies.get(reply)
    if (flags === 0) replies.put(reply, COUNTED)
    // It may no longer be abandoned.
    if (flags & LEFT) holds = false
  }

  function addRecord(record: IdHash, reply: IdHash): void {
    for (const number of [record.high, record.low, reply.high, reply.low]) records.push(number)
  }

  /** Notes a text of a reply. Returns false if the client wrote it before, and repeats its history. */
  function isFirst({ high, low }: IdHash, text: string): boolean {
    if (!traits.mirrors) return true
    hashText(text, record)
    const key = { high: high ^ record.high, low: (low ^ Math.imul(record.low, 31)) | 1 }
    if (written.get(key) !== 0) return false
    written.put(key, COUNTED)
    return true
  }

  /** Appends a block to the last item if that is of the same reply. Otherwise returns false. */
  function joins({ origin }: SessionEvent, { messageId, text, stopReason }: ReplyText): boolean {
    const last = lastItem()
    if (last?.who !== 'agent' || last.messageId !== messageId || last.text === undefined) return false
    if (last.offset > origin.offset) return false
    if (!blocks.add(last, text)) return true
    if (stopReason !== undefined) last.stopReason = stopReason
    grown(last)
    return true
  }

  return {
    size: (): number => replies.size,
    add(event: SessionEvent, content: ReplyText, reply: IdHash): void {
      const { mirror, media, ...words } = content
      if (content.text === '' || (mirror && recentDigests().includes(textDigest(content.text)))) return
      const isAgain = !isFirst(reply, content.text)
      count(event, content.text, reply)
      if (isAgain || keep === 'counts' || joins(event, content)) return
      push(event, { who: 'agent', ...words, ...(media.length > 0 ? { media } : {}) })
      const { line, order } = lastItem()!
      const { high, low } = event.id === undefined ? NO_RECORD : record
      for (const number of [line, order, high, low, reply.high, reply.low]) messages.push(number)
    },
    /** Counts a text that the fast path read. */
    glanced(id: IdHash, reply: IdHash): void {
      add(reply)
      addRecord(id, reply)
    },
    /**
     * Visits the agent messages in file order. Without `all`, only those since the state was loaded, and the
     * one before, which may have become longer.
     */
    visit(all: boolean, visit: (position: Position, record: IdHash, reply: IdHash) => void): void {
      const numbers = all ? messages.all() : messages.from(Math.max(0, messages.resumedFrom - MESSAGE))
      for (let at = 0; at < numbers.length; at += MESSAGE)
        visit(
          { line: numbers[at]!, order: numbers[at + 1]! },
          { high: numbers[at + 2]!, low: numbers[at + 3]! },
          { high: numbers[at + 4]!, low: numbers[at + 5]! },
        )
    },
    /** The replies that have a record on the active branch. A reply is abandoned only if all of them are. */
    followed(isAbandoned: (record: IdHash) => boolean): IdSet {
      const pairs = records.all()
      const followed = new IdSet(pairs.length / RECORD)
      for (let at = 0; at < pairs.length; at += RECORD)
        if (!isAbandoned({ high: pairs[at]!, low: pairs[at + 1]! }))
          followed.add({ high: pairs[at + 2]!, low: pairs[at + 3]! })
      return followed
    },
    /** Notes that a message of the reply is on an abandoned branch. */
    markLeft(reply: IdHash): void {
      const flags = replies.get(reply)
      if (!(flags & LEFT)) replies.put(reply, flags | COUNTED | LEFT)
    },
    /** Whether nothing has changed that decides which earlier replies are abandoned. */
    holds: (): boolean => holds,
    save: (changed: ChangedParts): ReplyTextState => ({
      recent: recentDigests(),
      replies: replies.save(changed),
      messages: messages.save(changed, packed),
      records: records.save(changed, packed),
      ...(traits.mirrors ? { written: written.save(changed) } : {}),
    }),
  }
}

const digestOf = (reply: number | string): number => (typeof reply === 'number' ? reply : textDigest(reply))

/** V8 takes ten times as long to store lists. */
const packed = (numbers: readonly number[]): Float64Array => Float64Array.from(numbers)
