import type { DatabaseSync } from 'node:sqlite'
import type { ReplyUsage } from '../../model/event.ts'
import { partsOf } from '../../model/usage.ts'
import { fromCutLine, numberCutLines } from '../cut-session.ts'
import type { MessageExtra, UsageRow } from '../increment.ts'
import { type ItemWindow, SPEAKERS, type StoredMessage } from '../stored.ts'
import { CUT_ITEMS, CUT_ORDER } from './cuts.ts'

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

type MessageValues = [
  id: number,
  record: number,
  at: number | null,
  who: number,
  text: string | null,
  tool: string | null,
  target: string | null,
  more: string | null,
  line: number,
  place: number,
  offset: number,
  length: number,
  prompt: number,
  aside: number,
  speaker: number | null,
  label: string | null,
]

// biome-ignore format: The columns, twice.
const messageOf = ([id, record, at, who, text, tool, target, more, line, place, offset, length, prompt, aside, speaker, label]: MessageValues) =>
  storedMessage({ id, record, at, who, text, tool, target, more, line, place, offset, length, prompt, aside, speaker, label })

const ITEMS = `SELECT ${MESSAGE_COLUMNS} FROM occurrence o JOIN message m ON m.id = o.message
  LEFT JOIN tool t ON t.id = m.tool WHERE o.artifact = ? AND o.generation = ? AND`
const OF_FILE = 'artifact = :id AND generation = :generation'

/** Some of a file's items by their position, without those before. Skipping entries of the index is cheap. */
const some = (order: string): string => `SELECT ${MESSAGE_COLUMNS} FROM
  (SELECT * FROM occurrence WHERE ${OF_FILE} ORDER BY ${order} LIMIT :count OFFSET :skipped) o
  JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool ORDER BY o.line, o.place`

const USAGE = `reply, model, input, output, cache_read AS cacheRead, cache_write AS cacheWrite, cost,
  cache_write_hour AS cacheWriteHour, reasoning`
/** With more replies than this, all of the file are read at once. */
const FEW = 16

/** How many items before a window are looked at for the replies that continue into it. */
const LOOK_BACK = 200

/** Reads the items of a file. */
export function createMessageReader(database: DatabaseSync) {
  const sql = {
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    messages: database.prepare(`${ITEMS} o.line >= ? ORDER BY o.line, o.place LIMIT ?`),
    before: database.prepare(`${ITEMS} o.line < ? ORDER BY o.line DESC, o.place DESC LIMIT ?`),
    holds: database.prepare('SELECT 1 AS held FROM message WHERE record = ? AND digest = ? AND id <= ?'),
    newest: database.prepare('SELECT max(id) AS id FROM message'),
    count: database.prepare(`SELECT count(*) AS items FROM occurrence WHERE ${OF_FILE}`),
    unindexed:
      database.prepare(`SELECT max(0, coalesce((SELECT max(id) FROM message), 0) - message) AS messages
      FROM indexed`),
    onlyIn: database.prepare(`WITH file AS (SELECT value AS id FROM json_each(?))
      SELECT count(DISTINCT o.message) AS messages FROM occurrence o WHERE o.artifact IN file AND NOT EXISTS
        (SELECT 1 FROM occurrence e WHERE e.message = o.message AND e.artifact NOT IN file)`),
    fromStart: database.prepare(some('line, place')),
    fromEnd: database.prepare(some('line DESC, place DESC')),
    cut: database.prepare(`SELECT ${MESSAGE_COLUMNS}, o.generation FROM ${CUT_ITEMS} LEFT JOIN tool t ON t.id = m.tool
      WHERE c.artifact = ? ORDER BY ${CUT_ORDER.join(', ')}`),
    usage: database.prepare(`SELECT ${USAGE} FROM usage WHERE artifact = ? AND reply = ?`),
    usages: database.prepare(`SELECT ${USAGE} FROM usage WHERE artifact = ? AND reply > 0`),
  }
  // As arrays, very many rows take half the time: SQLite's objects have no shape that V8 could optimize for.
  sql.messages.setReturnArrays(true)
  sql.before.setReturnArrays(true)

  const fileAt = (path: string): FileGeneration | undefined =>
    sql.file.get(path) as FileGeneration | undefined
  const countOf = (file: FileGeneration | undefined): number =>
    file ? Number(sql.count.get(file)!.items) : 0

  /**
   * Adds the usage of their replies to messages of a file. If these are more than `few`, those of the whole
   * file are read.
   */
  function withUsage(artifact: number, messages: StoredMessage[], few = FEW): StoredMessage[] {
    const replies = new Set(messages.flatMap(({ reply }) => reply ?? []))
    const usages = new Map<number, ReplyUsage>()
    const rows =
      replies.size > few
        ? sql.usages.iterate(artifact)
        : Array.from(replies, (reply) => sql.usage.get(artifact, reply)).filter((row) => row !== undefined)
    for (const row of rows as Iterable<unknown> as Iterable<Omit<UsageRow, 'at'>>) {
      const { reply, model, cost, cacheWriteHour, reasoning, ...tokens } = row
      usages.set(reply, {
        ...tokens,
        ...(model === null ? {} : { model }),
        ...(cost === null ? {} : { cost }),
        ...partsOf({ cacheWriteHour, reasoning }),
      })
    }
    for (const message of messages) {
      const usage = message.reply === undefined ? undefined : usages.get(message.reply)
      if (usage) message.usage = usage
    }
    return messages
  }

  function cutMessages(path: string): StoredMessage[] {
    const id = fileAt(path)?.id
    if (id === undefined) return []
    const rows = sql.cut.all(id) as unknown as (MessageColumns & { generation: number })[]
    return withUsage(
      id,
      numberCutLines(rows).map((row) => ({ ...storedMessage(row), cut: true })),
    )
  }

  function messages(
    path: string,
    { line, count, before = 0 }: { line: number; count: number; before?: number } = { line: 0, count: -1 },
    { usage }: { usage: boolean } = { usage: true },
  ): StoredMessage[] {
    if (line < 0) return fromCutLine({ line, count, before }, cutMessages(path), messages(path))
    const file = fileAt(path)
    if (!file) return []
    const { id, generation } = file
    const rows = sql.messages.all(id, generation, line, count)
    const earlier = before > 0 ? sql.before.all(id, generation, line, before).reverse() : []
    const values = earlier.length === 0 ? rows : [...earlier, ...rows]
    const all = (values as unknown as MessageValues[]).map(messageOf)
    // A part of a file needs few of its replies.
    return usage ? withUsage(id, all, count < 0 ? undefined : all.length) : all
  }

  return {
    messages,
    cutMessages,
    holds: (record: number, digest: number, upTo: number): boolean =>
      sql.holds.get(record, digest, upTo) !== undefined,
    newest: (): number => Number(sql.newest.get()!.id ?? 0),
    messagesOnlyIn: (ids: readonly number[]): number => Number(sql.onlyIn.get(JSON.stringify(ids))!.messages),
    unindexed: (): number => Number(sql.unindexed.get()!.messages),
    countMessages: (path: string): number => countOf(fileAt(path)),
    itemsAt(path: string, from: number, count: number): ItemWindow {
      const file = fileAt(path)
      if (!file) return { total: 0, items: [], replies: new Set() }
      const total = countOf(file)
      const first = Math.min(Math.max(0, from), total)
      const before = Math.min(first, LOOK_BACK)
      const read = Math.max(0, Math.min(count, total - first)) + before
      const start = first - before
      // Whichever end is nearer.
      const end = total - start - read
      const rows =
        start <= end
          ? sql.fromStart.all({ ...file, count: read, skipped: start })
          : sql.fromEnd.all({ ...file, count: read, skipped: end })
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

type FileGeneration = { id: number; generation: number }
