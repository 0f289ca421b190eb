import { hash53 } from '../../model/hash.ts'
import type { Who } from '../../model/session.ts'
import type { MessageRow } from '../increment.ts'
import type { StoredMessage } from '../stored.ts'
import { extraIn, timeIn } from './read/well-formed.ts'

/** The columns of an item that make a message, in the order of `ItemValues`. */
export const ITEM_COLUMNS = `i.record, i.digest, i.at, i.who, i.text, i.tool, i.target, i.more, i.line, i.place, i.offset,
  i.length, i.aside`

export type ItemValues = readonly [
  ...[record: number, digest: number, at: number | null, who: Who, text: string | null],
  ...[tool: string | null, target: string | null, more: string | null, line: number, order: number],
  ...[offset: number, length: number, aside: number],
]

/** The number of a message in answers. Two messages are the same if record and digest are. */
export const messageNumber = (record: number, digest: number): number => hash53([`${record}.${digest}`], 0)

export function storedMessage(values: ItemValues): StoredMessage {
  const [record, digest, at, who, text, tool, target, more, line, order, offset, length, aside] = values
  const message: StoredMessage = {
    message: messageNumber(record, digest),
    who,
    at: timeIn(at),
    text: text ?? undefined,
    ...{ line, offset, length, order, label: undefined },
  }
  if (more !== null) Object.assign(message, extraIn(more))
  if (tool !== null) message.tool = { name: tool, target: target ?? undefined }
  if (record >= 0) message.record = record
  if (aside === 1) message.offBranch = true
  return message
}

/** What else a message has, as it is stored. */
export const moreOf = ({ more }: MessageRow): string | null => (more === null ? null : JSON.stringify(more))
