import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { MessageExtra } from '../increment.ts'
import { type ItemWindow, SPEAKERS, type StoredMessage } from '../stored.ts'

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

/** How many items before a window are looked at for the replies that continue into it. */
const LOOK_BACK = 200

const OF_FILE = 'artifact = :id AND generation = :generation'

/** Some of a file's items by their position, without those before. Skipping entries of the index is cheap. */
const some = (order: string): string => `SELECT ${MESSAGE_COLUMNS} FROM
  (SELECT * FROM occurrence WHERE ${OF_FILE} ORDER BY ${order} LIMIT :count OFFSET :skipped) o
  JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool ORDER BY o.line, o.place`

/** Reads items of a file by their position. */
export function createWindows(
  database: DatabaseSync,
  withUsage: (artifact: number, messages: StoredMessage[], few?: number) => StoredMessage[],
) {
  const sql = {
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    count: database.prepare(`SELECT count(*) AS items FROM occurrence WHERE ${OF_FILE}`),
    fromStart: database.prepare(some('line, place')),
    fromEnd: database.prepare(some('line DESC, place DESC')),
  }

  return {
    itemsAt(path: string, from: number, count: number): ItemWindow {
      const file = sql.file.get(path) as { id: number; generation: number } | undefined
      if (!file) return { total: 0, items: [], replies: new Set() }
      const total = Number(sql.count.get(file)!.items)
      const first = Math.min(Math.max(0, from), total)
      const before = Math.min(first, LOOK_BACK)
      const read = Math.max(0, Math.min(count, total - first)) + before
      const start = first - before
      // Whichever end is nearer.
      const rows =
        start <= total - start - read
          ? sql.fromStart.all({ ...file, count: read, skipped: start })
          : sql.fromEnd.all({ ...file, count: read, skipped: total - start - read })
      const all = (rows as unknown as MessageColumns[]).map(storedMessage)
      return {
        total,
        // A window is small, and its file may be very large.
        items: withUsage(file.id, all.slice(before), read),
        replies: new Set(all.slice(0, before).flatMap(({ reply }) => reply ?? [])),
      }
    },
  }
}
