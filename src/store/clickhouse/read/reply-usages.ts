import type { ReplyUsage } from '../../../model/event.ts'
import type { StoredMessage } from '../../stored.ts'
import { sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'

/** With more replies than this, those of the whole file are read. */
const FEW = 500

type UsageValues = [
  ...[reply: number, model: string | null, input: number, output: number, cacheRead: number],
  ...[cacheWrite: number, cost: number | null, cacheWriteHour: number],
]

/** Adds their usage to the messages of a file. */
export function addUsages({ connection }: Scope, file: number, messages: StoredMessage[]): StoredMessage[] {
  const replies = [...new Set(messages.flatMap(({ reply }) => reply ?? []))]
  if (replies.length === 0) return messages
  const few = replies.length > FEW ? 'reply > 0' : sql`reply IN ${replies}`
  const usages = new Map<number, ReplyUsage>()
  for (const [
    reply,
    model,
    input,
    output,
    cacheRead,
    cacheWrite,
    cost,
    cacheWriteHour,
  ] of connection.select<UsageValues>(sql`SELECT reply, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour FROM usage FINAL
      WHERE artifact = ${file} AND ${{ sql: few }}`))
    usages.set(reply, {
      ...{ input, output, cacheRead, cacheWrite },
      ...(model === null ? {} : { model }),
      ...(cost === null ? {} : { cost }),
      ...(cacheWriteHour === 0 ? {} : { cacheWriteHour }),
    })
  for (const message of messages) {
    const usage = message.reply === undefined ? undefined : usages.get(message.reply)
    if (usage) message.usage = usage
  }
  return messages
}
