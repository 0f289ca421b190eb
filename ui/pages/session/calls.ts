import type { Item } from '../../api/ask.ts'
import { fileName } from '../../text/format.ts'
import type { Conversation } from './conversation.ts'

/** One tool call with its error, if it failed. */
export interface CallLine {
  index: number
  item: Item | undefined
  error: Item | undefined
}

export function callsOf(conversation: Conversation, from: number, to: number): CallLine[] {
  const { who } = conversation.shape.peek()
  const calls: CallLine[] = []
  for (let index = from; index < to; index++) {
    const item = conversation.item(index)
    const last = calls.at(-1)
    const isError = who[index] === 'e'
    // The error of a reply names no tool, and belongs to no call.
    const belongs =
      isError && last && !last.error && (!item || (item.tool && item.tool.name === last.item?.tool?.name))
    if (belongs) last.error = item
    else calls.push({ index, item, error: isError ? item : undefined })
  }
  return calls
}

/** Failed calls, of which those with the same error in a row are one, with their number. */
export function foldSame(failed: readonly CallLine[]): (CallLine & { times: number })[] {
  const folded: (CallLine & { times: number })[] = []
  for (const call of failed) {
    const last = folded.at(-1)
    // What is not loaded yet may be anything.
    const isSame =
      last?.error !== undefined &&
      call.error?.text === last.error.text &&
      call.error?.sure === last.error.sure
    if (last && isSame) last.times++
    else folded.push({ ...call, times: 1 })
  }
  return folded
}

/** The tool of a call. A reply that failed has none. */
export const nameOf = (item: Item | undefined): string =>
  item?.tool?.name ?? (item?.who === 'error' ? 'Reply' : '…')

/** What a run did, in few words: `Read store.js, Edit ×2, Bash npm test`. */
export function summary(calls: readonly CallLine[]): { name: string; target: string; times: number }[] {
  const groups: { name: string; target: string; times: number }[] = []
  for (const { item } of calls) {
    const name = nameOf(item)
    const target = shortTarget(item?.tool?.target)
    const last = groups.at(-1)
    if (last?.name === name) {
      last.times++
      if (last.target !== target) last.target = ''
    } else groups.push({ name, target, times: 1 })
  }
  return groups
}

function shortTarget(target: string | null | undefined): string {
  if (!target) return ''
  const line = target.split('\n', 1)[0]!
  return /^[~/.][^\s]*$/.test(line) ? fileName(line) : line.slice(0, 80)
}
