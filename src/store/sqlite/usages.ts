import type { DatabaseSync } from 'node:sqlite'
import type { ReplyUsage } from '../../model/event.ts'
import type { UsageRow } from '../increment.ts'
import type { StoredMessage } from '../stored.ts'
import { prepareWrite } from './database.ts'
import type { StaleDays } from './days.ts'

/** The tokens of replies, by file. */
export function createUsageTable(database: DatabaseSync, stale: StaleDays) {
  const sql = {
    // In order, not by name: see `createMessageTable`.
    put: prepareWrite(
      database,
      `INSERT OR REPLACE INTO usage (artifact, reply, at, model, input, output, cache_read, cache_write, cost,
      cache_write_hour, cut)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    ),
    drop: prepareWrite(database, 'DELETE FROM usage WHERE artifact = ?'),
    dropCurrent: prepareWrite(database, 'DELETE FROM usage WHERE artifact = ? AND cut = 0'),
  }
  return {
    put(artifact: number, rows: readonly UsageRow[]): void {
      for (const { reply, at, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour } of rows) {
        stale.noteReply(reply)
        stale.note(at)
        const tokens = [input, output, cacheRead, cacheWrite, cost, cacheWriteHour] as const
        sql.put.run(artifact, reply, at, model, ...tokens)
      }
    },
    /** Deletes the rows of the current part of the file. Those of the part that was cut off remain. */
    dropCurrent(artifact: number): void {
      stale.noteReplies(artifact)
      sql.dropCurrent.run(artifact)
    },
    drop(artifact: number): void {
      stale.noteReplies(artifact)
      sql.drop.run(artifact)
    },
  }
}

type UsageColumns = Omit<UsageRow, 'reply' | 'at'>

const replyUsage = ({ model, cost, cacheWriteHour, ...tokens }: UsageColumns): ReplyUsage => ({
  ...tokens,
  ...(model === null ? {} : { model }),
  ...(cost === null ? {} : { cost }),
  ...(cacheWriteHour === 0 ? {} : { cacheWriteHour }),
})

const COLUMNS = `model, input, output, cache_read AS cacheRead, cache_write AS cacheWrite, cost,
  cache_write_hour AS cacheWriteHour`
/** With more replies than this, all of the file are read at once. */
const FEW = 16

/**
 * Returns a function that adds their usage to the messages of a file. `few`: with more replies than this,
 * those of the whole file are read.
 */
export function createReplyUsages(database: DatabaseSync) {
  const sql = {
    one: database.prepare(`SELECT ${COLUMNS} FROM usage WHERE artifact = ? AND reply = ?`),
    all: database.prepare(`SELECT reply, ${COLUMNS} FROM usage WHERE artifact = ? AND reply > 0`),
  }

  function usagesOf(artifact: number, replies: ReadonlySet<number>, few: number): Map<number, ReplyUsage> {
    const usages = new Map<number, ReplyUsage>()
    if (replies.size > few)
      for (const { reply, ...row } of sql.all.iterate(artifact) as Iterable<unknown> as Iterable<
        Omit<UsageRow, 'at'>
      >)
        usages.set(reply, replyUsage(row))
    else
      for (const reply of replies) {
        const row = sql.one.get(artifact, reply)
        if (row) usages.set(reply, replyUsage(row as unknown as UsageColumns))
      }
    return usages
  }

  return (artifact: number, messages: StoredMessage[], few = FEW): StoredMessage[] => {
    const usages = usagesOf(artifact, new Set(messages.flatMap(({ reply }) => reply ?? [])), few)
    for (const message of messages) {
      const usage = message.reply === undefined ? undefined : usages.get(message.reply)
      if (usage) message.usage = usage
    }
    return messages
  }
}
