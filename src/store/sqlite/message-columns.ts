import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { MessageExtra } from '../increment.ts'
import { SPEAKERS } from '../speakers.ts'
import type { StoredMessage } from '../stored.ts'

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

/**
 * Prepares a statement that returns very many rows of `MESSAGE_COLUMNS` and of nothing else. As arrays, they
 * take half the time: SQLite's objects have no shape that V8 could optimize for.
 */
export function prepareMessages(
  database: DatabaseSync,
  sql: string,
): (...given: SQLInputValue[]) => StoredMessage[] {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return (...given) => (statement.all(...given) as unknown as MessageValues[]).map(messageOf)
}

type MessageValues = [
  ...[id: number, record: number, at: number | null, who: number, text: string | null],
  ...[tool: string | null, target: string | null, more: string | null, line: number, place: number],
  ...[offset: number, length: number, prompt: number, aside: number],
  ...[speaker: number | null, label: string | null],
]

const messageOf = (values: MessageValues): StoredMessage =>
  storedMessage({
    id: values[0],
    record: values[1],
    at: values[2],
    who: values[3],
    text: values[4],
    tool: values[5],
    target: values[6],
    more: values[7],
    line: values[8],
    place: values[9],
    offset: values[10],
    length: values[11],
    prompt: values[12],
    aside: values[13],
    speaker: values[14],
    label: values[15],
  })

export function storedMessage(row: MessageColumns): StoredMessage {
  const message: StoredMessage = {
    message: row.id,
    who: SPEAKERS[row.speaker ?? row.who]!,
    at: row.at ?? undefined,
    text: row.text ?? undefined,
    line: row.line,
    offset: row.offset,
    length: row.length,
    order: row.place,
    label: row.prompt === 1 ? (row.label ?? undefined) : undefined,
  }
  if (row.more !== null) {
    const { label, ...more }: MessageExtra = JSON.parse(row.more)
    Object.assign(message, more)
    if (row.prompt !== 1) message.label = label
  }
  if (row.tool !== null) message.tool = { name: row.tool, target: row.target ?? undefined }
  if (row.record >= 0) message.record = row.record
  if (row.aside === 1) message.offBranch = true
  return message
}
