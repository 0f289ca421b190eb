import { hashText, type IdHash } from '../hash.ts'
import type { IdSet } from '../id-set.ts'
import type { Position } from '../position.ts'
import type { Item } from '../session.ts'
import type { Branches } from './branches.ts'
import { ITEMS_PER_EVENT, itemOf, promptItem } from './item.ts'
import type { Prompt } from './prompts.ts'
import type { createReplyRecords } from './reply-records.ts'
import type { Turns } from './turns.ts'
import type { UsageCount } from './usage-count.ts'

/**
 * Facts that are only known at the end of a file. A first pass collects them, so that a second pass can
 * stream items.
 */
export interface Settlement {
  /** All prompts with their speakers, in file order. */
  prompts: readonly Prompt[]
  /** The prompts as items. */
  promptItems(): Item[]
  /** Whether an item is on an abandoned branch. */
  isOffBranch(item: Item): boolean
  /** The final usage of a reply. */
  usageOf: UsageCount['of']
  /** The positions of all agent messages on abandoned branches: line and order, alternating. */
  abandonedReplies(): Position[]
}

/** Created after all of the file, or the part so far, has been read. Its parts are computed lazily. */
export function createSettlement(
  prompts: readonly Prompt[],
  { branches, turns }: { branches: Branches; turns: Turns },
  {
    records,
    agentMessages,
    usages,
  }: { records: ReturnType<typeof createReplyRecords>; agentMessages: readonly number[]; usages: UsageCount },
): Settlement {
  let abandoned: ReturnType<Branches['settle']> | undefined
  let followed: IdSet | undefined
  let copies: Map<string, readonly string[]> | undefined
  const hash = { high: 0, low: 0 }

  const isTakenBack = (line: number, order: number): boolean =>
    turns.isTakenBack(line, Math.floor(order / ITEMS_PER_EVENT))
  const isLeft = (record: IdHash): boolean => {
    abandoned ??= branches.settle()
    return abandoned(record)
  }
  const isFollowed = (reply: IdHash): boolean => {
    followed ??= records.followed(abandoned!)
    return followed.has(reply)
  }
  /** Whether a copy of the prompt's record is on the active branch. */
  const isRepeated = (id: string): boolean => {
    copies ??= new Map(
      prompts.flatMap((each) => (each.copies ? [[each.event.id!, each.copies] as const] : [])),
    )
    return (copies.get(id) ?? []).some((copy) => {
      hashText(copy, hash)
      return !isLeft(hash)
    })
  }

  return {
    prompts,
    usageOf: usages.of,
    promptItems: () => prompts.map((each) => itemOf(each.event, promptItem(each))),
    // Parallel tool calls are side branches of the branch they belong to, so only messages count as
    // abandoned.
    isOffBranch({ id, who, messageId, line, order }) {
      if (who === 'tool' || who === 'error' || who === 'marker') return false
      if (isTakenBack(line, order)) return true
      if (id === undefined) return false
      hashText(id, hash)
      if (!isLeft(hash)) return false
      if (messageId === undefined) return !isRepeated(id)
      hashText(messageId, hash)
      return !isFollowed(hash)
    },
    abandonedReplies() {
      const positions: Position[] = []
      for (let at = 0; at < agentMessages.length; at += 6)
        if (
          isTakenBack(agentMessages[at]!, agentMessages[at + 1]!) ||
          (isLeft({ high: agentMessages[at + 2]!, low: agentMessages[at + 3]! }) &&
            !isFollowed({ high: agentMessages[at + 4]!, low: agentMessages[at + 5]! }))
        )
          positions.push({ line: agentMessages[at]!, order: agentMessages[at + 1]! })
      return positions
    },
  }
}

/** Adds what is only known at the end of the file to an item. */
export function finishItem(
  item: Item,
  { isOffBranch, usageOf }: Settlement,
  clean: (text: string) => string,
): void {
  if (isOffBranch(item)) item.offBranch = true
  const usage = item.reply === undefined ? undefined : usageOf(item.reply)
  if (usage) item.usage = usage.model === undefined ? usage : { ...usage, model: clean(usage.model) }
}
