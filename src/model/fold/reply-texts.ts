import type { SessionEvent } from '../event.ts'
import { hashText, type IdHash } from '../hash.ts'
import { IdSet } from '../id-set.ts'
import type { Item } from '../session.ts'
import { singleSpaced } from '../single-spaced.ts'
import { createJoinedBlocks } from './joined-blocks.ts'
import type { OfReply, ReplyContext } from './reply-context.ts'
import { createReplyRecords } from './reply-records.ts'

/** The texts of replies read so far, as plain data. */
export interface ReplyTextState {
  replies: Int32Array
  records: Int32Array
  /** The latest replies, which a mirror may repeat. */
  recent: string[]
  /** Positions of agent messages: line, order, record and reply (two numbers each). */
  positions: number[]
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

/** Folds the texts of replies: counts each reply once, joins its blocks, and leaves out mirrors. */
export function createReplyTexts(
  { keep, push, last: lastItem, grown }: ReplyContext,
  before?: ReplyTextState,
) {
  const replies = new IdSet(undefined, before?.replies)
  const records = createReplyRecords(before?.records)
  const recent = before?.recent ?? []
  const agentMessages = before?.positions ?? []
  const blocks = createJoinedBlocks()
  const record: IdHash = { high: 0, low: 0 }

  const isRepeated = (text: string): boolean =>
    recent.some((earlier) => singleSpaced(earlier) === singleSpaced(text))

  function count(event: SessionEvent, text: string, reply: IdHash): void {
    recent.push(text)
    if (recent.length > MIRROR_MEMORY) recent.shift()
    replies.add(reply)
    if (event.id === undefined) return
    hashText(event.id, record)
    records.add(record, reply)
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
    records,
    agentMessages,
    size: (): number => replies.size,
    add(event: SessionEvent, content: ReplyText, reply: IdHash): void {
      const { mirror, media, ...words } = content
      if (content.text === '' || (mirror && isRepeated(content.text))) return
      count(event, content.text, reply)
      if (keep === 'counts' || joins(event, content)) return
      push(event, { who: 'agent', ...words, ...(media.length > 0 ? { media } : {}) })
      const { line, order } = lastItem()!
      const { high, low } = event.id === undefined ? NO_RECORD : record
      agentMessages.push(line, order, high, low, reply.high, reply.low)
    },
    /** Counts a text that the fast path read. */
    glanced(id: IdHash, reply: IdHash): void {
      replies.add(reply)
      records.add(id, reply)
    },
    save: (): ReplyTextState => ({
      recent,
      positions: agentMessages,
      replies: replies.entries(),
      records: records.save(),
    }),
  }
}
