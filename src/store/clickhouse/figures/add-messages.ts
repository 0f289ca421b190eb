import type { DayFigures, MessageFigure } from '../../figures.ts'

/** A row of sums. `hour` is that of human messages. */
export type MessageValues = [
  ...[artifact: number, who: MessageFigure['who'], tool: string | null, hour: number | null],
  ...[count: number, words: number],
]

/** Adds a row to the figures of its day. Rows come in the order of file, `who`, `tool` and `hour`. */
export function addMessages(
  { messages, hours }: Pick<DayFigures, 'messages' | 'hours'>,
  [artifact, who, tool, hour, count, words]: MessageValues,
): void {
  const last = messages.at(-1)
  if (last && last.artifact === artifact && last.who === who && last.tool === tool) {
    last.count += count
    last.words += words
  } else messages.push({ artifact, who, tool, count, words })
  if (hour !== null) hours.push({ artifact, hour, count })
}
