import type { SessionEvent } from '../event.ts'
import { hash53 } from '../hash.ts'
import { textDigest } from '../item-key.ts'
import type { Position } from '../position.ts'
import type { Item } from '../session.ts'
import type { OfReply, ReplyContext } from './reply-context.ts'

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

/** Folds the texts of replies: counts each reply once, joins its blocks, and leaves out mirrors. */
export function createReplyTexts({ keep, push, last: lastItem, grown, traits }: ReplyContext) {
  /** The numbers of the counted replies. */
  const replies = new Set<number>()
  /** The messages of the agent: where each is, and of which record and reply. */
  const messages: (Position & { record: string | undefined; reply: number })[] = []
  /** Which records contain a reply. */
  const records: { record: string; reply: number }[] = []
  /** The latest replies, each a digest once it was compared. */
  let recent: (string | number)[] = []
  /** The texts of each reply, where clients write their history again under other ids. */
  const written = new Set<number>()
  const blocks = createJoinedBlocks()

  function isRecent(text: string): boolean {
    recent = recent.map((each) => (typeof each === 'number' ? each : textDigest(each)))
    return recent.includes(textDigest(text))
  }

  function count(event: SessionEvent, text: string, reply: number): void {
    if (traits.mirrors && recent.push(text) > MIRROR_MEMORY) recent.shift()
    replies.add(reply)
    if (event.id !== undefined) records.push({ record: event.id, reply })
  }

  /** Notes a text of a reply. Returns false if the client wrote it before, and repeats its history. */
  function isFirst(reply: number, text: string): boolean {
    if (!traits.mirrors) return true
    const key = hash53([text], reply % 0x1_0000_0000)
    const isNew = !written.has(key)
    written.add(key)
    return isNew
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
    add(event: SessionEvent, content: ReplyText, reply: number): void {
      const { mirror, media, ...words } = content
      if (content.text === '' || (mirror && isRecent(content.text))) return
      const isAgain = !isFirst(reply, content.text)
      count(event, content.text, reply)
      if (isAgain || keep === 'counts' || joins(event, content)) return
      push(event, { who: 'agent', ...words, ...(media.length > 0 ? { media } : {}) })
      const { line, order } = lastItem()!
      messages.push({ line, order, record: event.id, reply })
    },
    /** In file order. */
    messages,
    /** The replies that have a record on the active branch. A reply is abandoned only if all of them are. */
    followed: (isAbandoned: (record: string) => boolean): ReadonlySet<number> =>
      new Set(records.flatMap(({ record, reply }) => (isAbandoned(record) ? [] : reply))),
  }
}

const BETWEEN = '\n\n'

/**
 * Appends blocks to the text of an item, unless the text already ends with them. The last blocks are
 * compared, not the text: V8 would copy all of it after each block, and a reply may have thousands.
 */
export function createJoinedBlocks() {
  let current: { item: Item; blocks: string[] } | undefined
  return {
    /** Returns false if the item already ends with this block. */
    add(item: Item, block: string): boolean {
      if (current?.item !== item) current = { item, blocks: [item.text!] }
      const { blocks } = current
      const end = endOf(blocks, block.length + BETWEEN.length)
      if (end === block || end.endsWith(`${BETWEEN}${block}`)) return false
      item.text += `${BETWEEN}${block}`
      blocks.push(block)
      return true
    },
  }
}

/** The end of a joined text: as many blocks as have this many characters together, or all of them. */
function endOf(blocks: readonly string[], length: number): string {
  let from = blocks.length - 1
  let size = blocks[from]!.length
  while (size < length && from > 0) size += BETWEEN.length + blocks[--from]!.length
  return blocks.slice(from).join(BETWEEN)
}
