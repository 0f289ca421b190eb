import type { DatabaseSync } from 'node:sqlite'
import type { MessageExtra } from '../increment.ts'
import type { ItemWindow, OutlineReply, OutlineRow } from '../outline.ts'
import type { StoredMessage } from '../stored.ts'
import { SPEAKERS, speakerNumber } from './facets.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from './message-columns.ts'

/** How many items before a window are looked at for the replies that continue into it. */
const LOOK_BACK = 200

const OF_FILE = 'artifact = :id AND generation = :generation'
const HUMAN = speakerNumber('human')
const MARKER = speakerNumber('marker')

/** Some of a file's items by their position, without those before. Skipping entries of the index is cheap. */
const some = (order: string): string => `SELECT ${MESSAGE_COLUMNS} FROM
  (SELECT * FROM occurrence WHERE ${OF_FILE} ORDER BY ${order} LIMIT :count OFFSET :skipped) o
  JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool ORDER BY o.line, o.place`

/** The text of humans and markers, and any in which a NUL may end SQLite's count of characters. */
const IS_NEEDED = `coalesce(o.who, m.who) IN (${HUMAN}, ${MARKER}) OR octet_length(m.text) > length(m.text)`

interface OutlineColumns {
  who: number
  at: number | null
  line: number
  aside: number
  size: number | null
  more: string | null
  text: string | null
}

/** Reads items of a file by their position, and what a page needs to lay all of them out. */
export function createWindows(
  database: DatabaseSync,
  withUsage: (artifact: number, messages: StoredMessage[], few?: number) => StoredMessage[],
) {
  const sql = {
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    count: database.prepare(`SELECT count(*) AS items FROM occurrence WHERE ${OF_FILE}`),
    fromStart: database.prepare(some('line, place')),
    fromEnd: database.prepare(some('line DESC, place DESC')),
    outline:
      database.prepare(`SELECT coalesce(o.who, m.who) AS who, m.at, o.line, o.aside, length(m.text) AS size,
      m.more,
      CASE WHEN ${IS_NEEDED} THEN m.text END AS text
      FROM occurrence o JOIN message m ON m.id = o.message
      WHERE o.artifact = :id AND o.generation = :generation ORDER BY o.line, o.place`),
    replies: database.prepare(`SELECT reply, at, model, input, output, cache_read AS cacheRead,
      cache_write AS cacheWrite FROM usage WHERE artifact = ? AND reply > 0 AND cut = 0 ORDER BY reply`),
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
    *outline(path: string, cut: number): Generator<OutlineRow> {
      const file = sql.file.get(path) as { id: number; generation: number } | undefined
      if (!file) return
      const rows = sql.outline.iterate({ ...file }) as Iterable<unknown> as Iterable<OutlineColumns>
      for (const { who, at, line, aside, size, more, text } of rows) {
        // Faster here than in SQL, which would parse it for each field.
        const { reply, marker }: MessageExtra = more === null ? {} : JSON.parse(more)
        const isShown = text !== null && (who === HUMAN || who === MARKER)
        yield {
          ...{ who: SPEAKERS[who]!, at: at ?? undefined, line, offBranch: aside === 1 },
          ...{ reply, marker },
          size: text === null ? (size ?? 0) : charactersIn(text),
          text: isShown ? beginning(text, cut) : undefined,
        }
      }
    },
    replies(path: string): OutlineReply[] {
      const file = sql.file.get(path)
      if (!file) return []
      return Array.from(
        sql.replies.iterate(file.id!) as Iterable<unknown> as Iterable<OutlineReply & { at: number | null }>,
        (row) => ({ ...row, at: row.at ?? undefined, model: row.model ?? undefined }),
      )
    },
  }
}

/** The first characters of a text, without splitting one. */
const beginning = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join('')

function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
