import type { ItemWindow } from '../../outline.ts'
import type { StoredMessage } from '../../stored.ts'
import { raw, sql } from '../connection/literal.ts'
import { ITEM_COLUMNS, type ItemValues, storedMessage } from '../items.ts'
import type { Scope } from '../scope.ts'
import { cutMessagesOf } from './cut-parts.ts'
import { fileAt, itemsOf } from './file-at.ts'
import { addUsages } from './reply-usages.ts'

/** How many items before a window are looked at for the replies that continue into it. */
const LOOK_BACK = 200

/** Reads the items of a file. */
export function createMessages(scope: Scope) {
  const { connection } = scope
  const read = (rest: string): StoredMessage[] =>
    connection
      .select<ItemValues>(sql`SELECT ${raw(ITEM_COLUMNS)} FROM item AS i FINAL ${raw(rest)}`)
      .map(storedMessage)

  return {
    messages(
      path: string,
      { line, count, before = 0 }: { line: number; count: number; before?: number } = { line: 0, count: -1 },
      { usage }: { usage: boolean } = { usage: true },
    ): StoredMessage[] {
      const file = fileAt(scope, path)
      if (!file) return []
      const limit = count < 0 ? '' : `LIMIT ${count}`
      const rows = read(sql`${itemsOf(file)} AND i.line >= ${line} ORDER BY i.line, i.place ${raw(limit)}`)
      const earlier =
        before > 0
          ? read(
              sql`${itemsOf(file)} AND i.line < ${line} ORDER BY i.line DESC, i.place DESC LIMIT ${before}`,
            )
          : []
      const messages = earlier.length === 0 ? rows : [...earlier.reverse(), ...rows]
      return usage ? addUsages(scope, file.id, messages) : messages
    },
    cutMessages(path: string): StoredMessage[] {
      const file = fileAt(scope, path)
      return file ? addUsages(scope, file.id, cutMessagesOf(scope, file)) : []
    },
    itemsAt(path: string, from: number, count: number): ItemWindow {
      const file = fileAt(scope, path)
      if (!file) return { total: 0, items: [], replies: new Set() }
      const total = countOf(file)
      const first = Math.min(Math.max(0, from), total)
      const before = Math.min(first, LOOK_BACK)
      const wanted = Math.max(0, Math.min(count, total - first)) + before
      const all = read(
        sql`${itemsOf(file)} ORDER BY i.line, i.place LIMIT ${wanted} OFFSET ${first - before}`,
      )
      return {
        total,
        items: addUsages(scope, file.id, all.slice(before)),
        replies: new Set(all.slice(0, before).flatMap(({ reply }) => reply ?? [])),
      }
    },
    countMessages(path: string): number {
      const file = fileAt(scope, path)
      return file ? countOf(file) : 0
    },
    holds: (record: number, digest: number): boolean =>
      connection.select(sql`SELECT 1 FROM item AS i FINAL WHERE record = ${record} AND digest = ${digest}
        AND artifact IN (SELECT id FROM artifact FINAL) LIMIT 1`).length > 0,
    // Only the embedded store is followed.
    newest: (): number => Number.MAX_SAFE_INTEGER,
  }

  function countOf(file: Parameters<typeof itemsOf>[0]): number {
    return connection.select<[number]>(sql`SELECT count() FROM item AS i FINAL ${itemsOf(file)}`)[0]![0]
  }
}
