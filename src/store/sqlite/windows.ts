import type { DatabaseSync } from 'node:sqlite'
import type { ItemWindow } from '../outline.ts'
import type { StoredMessage } from '../stored.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from './message-columns.ts'

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
