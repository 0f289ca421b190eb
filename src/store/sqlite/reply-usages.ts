import type { DatabaseSync } from 'node:sqlite'
import type { ReplyUsage } from '../../model/event.ts'

interface UsageColumns {
  model: string | null
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  cost: number | null
  cacheWriteHour: number
}

const replyUsage = ({ model, cost, cacheWriteHour, ...tokens }: UsageColumns): ReplyUsage => ({
  ...tokens,
  ...(model === null ? {} : { model }),
  ...(cost === null ? {} : { cost }),
  ...(cacheWriteHour === 0 ? {} : { cacheWriteHour }),
})

/** Looks up what a reply used in a file. */
export function createReplyUsages(database: DatabaseSync) {
  const sql =
    database.prepare(`SELECT model, input, output, cache_read AS cacheRead, cache_write AS cacheWrite, cost,
    cache_write_hour AS cacheWriteHour FROM usage WHERE artifact = ? AND reply = ?`)
  return (artifact: number, reply: number): ReplyUsage | undefined => {
    const row = sql.get(artifact, reply)
    return row && replyUsage(row as unknown as UsageColumns)
  }
}
