import type { MessageExtra } from '../increment.ts'
import type { StoredMessage } from '../stored.ts'
import { SPEAKERS } from './facets.ts'

/** A row of `MESSAGE_COLUMNS`. */
export interface MessageColumns {
  id: number
  record: number
  at: number | null
  who: number
  text: string | null
  tool: string | null
  target: string | null
  more: string | null
  line: number
  place: number
  offset: number
  length: number
  prompt: number
  aside: number
  speaker: number | null
  label: string | null
}

export const MESSAGE_COLUMNS = `m.id, m.record, m.at, m.who, m.text, t.name AS tool, m.target, m.more,
  o.line, o.place, o.offset, o.length, o.prompt, o.aside, o.who AS speaker, o.label`

export function storedMessage(row: MessageColumns): StoredMessage {
  const more: MessageExtra | undefined = row.more === null ? undefined : JSON.parse(row.more)
  const message: StoredMessage = {
    message: row.id,
    who: SPEAKERS[row.speaker ?? row.who]!,
    at: row.at ?? undefined,
    text: row.text ?? undefined,
    line: row.line,
    offset: row.offset,
    length: row.length,
    order: row.place,
    ...more,
    label: row.prompt === 1 ? (row.label ?? undefined) : more?.label,
  }
  if (row.tool !== null) message.tool = { name: row.tool, target: row.target ?? undefined }
  if (row.record >= 0) message.record = row.record
  if (row.aside === 1) message.offBranch = true
  return message
}
