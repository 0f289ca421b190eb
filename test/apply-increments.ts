import type { Position, Session } from '../src/model/session.ts'
import type { Increment, MessageRow } from '../src/store/increment.ts'
import type { StoredMessage } from '../src/store/stored.ts'

const keyOf = ({ line, order }: Position): string => `${line}.${order}`

/**
 * Combines the increments of one file, as plainly as the contract of `Increment` can be written. Tests that
 * cut a file hundreds of thousands of times use it instead of an engine; for short files they compare both.
 */
export function applyIncrements(increments: readonly Increment[]): {
  session: Session
  messages: StoredMessage[]
} {
  const rows = new Map<string, { row: MessageRow; prompt: boolean; aside: boolean }>()
  for (const { fresh, fromLine, messages, prompts, left } of increments) {
    for (const [key, each] of rows) {
      const { row, prompt } = each
      if (fresh || row.line >= fromLine || (prompt && prompts)) rows.delete(key)
      else each.aside = false
    }
    for (const row of messages) rows.set(keyOf(row), { row, prompt: false, aside: false })
    for (const row of prompts ?? []) rows.set(keyOf(row), { row, prompt: true, aside: false })
    for (const position of left) rows.get(keyOf(position))!.aside = true
  }
  return {
    session: increments.at(-1)!.session!,
    messages: [...rows.values()]
      .map(({ row, aside }) => storedMessage(row, aside))
      .sort((a, b) => a.line - b.line || a.order - b.order),
  }
}

function storedMessage(row: MessageRow, offBranch: boolean): StoredMessage {
  const { who, at, text, tool, target, line, offset, length, order, more } = row
  return {
    message: 0,
    who,
    at: at ?? undefined,
    text: text ?? undefined,
    ...(tool === null ? {} : { tool: { name: tool, target: target ?? undefined } }),
    ...{ line, offset, length, order, ...more },
    ...(offBranch ? { offBranch } : {}),
  }
}
