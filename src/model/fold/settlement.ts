import { idNumber } from '../hash.ts'
import type { Position } from '../position.ts'
import type { Item } from '../session.ts'
import type { Turns } from './branches.ts'
import { ITEMS_PER_EVENT, itemOf, promptItem } from './item.ts'
import type { Replies } from './replies.ts'
import type { Prompt } from './speakers.ts'
import type { UsageCount } from './usage.ts'

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
  /** The positions of agent messages on abandoned branches. */
  abandonedReplies(): Position[]
}

interface SettlementParts {
  /** Which records are abandoned. */
  abandoned(): (record: string) => boolean
  turns: Turns
  replies: Pick<Replies, 'texts' | 'usages'>
}

/** Created after all of the file, or the part so far, has been read. Its parts are computed lazily. */
export function createSettlement(
  prompts: readonly Prompt[],
  { abandoned, turns, replies }: SettlementParts,
): Settlement {
  const { texts, usages } = replies
  let isAbandoned: ((record: string) => boolean) | undefined
  let followed: ReadonlySet<number> | undefined
  let copies: Map<string, readonly string[]> | undefined
  let positions: Position[] | undefined

  const isTakenBack = (line: number, order: number): boolean =>
    turns.isTakenBack(line, Math.floor(order / ITEMS_PER_EVENT))
  const isLeft = (record: string): boolean => {
    isAbandoned ??= abandoned()
    return isAbandoned(record)
  }
  const isFollowed = (reply: number): boolean => {
    followed ??= texts.followed(isLeft)
    return followed.has(reply)
  }
  /** Whether a copy of the prompt's record is on the active branch. */
  const isRepeated = (id: string): boolean => {
    copies ??= new Map(
      prompts.flatMap((each) => (each.copies ? [[each.event.id!, each.copies] as const] : [])),
    )
    return (copies.get(id) ?? []).some((copy) => !isLeft(copy))
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
      if (!isLeft(id)) return false
      return messageId === undefined ? !isRepeated(id) : !isFollowed(idNumber(messageId))
    },
    abandonedReplies() {
      positions ??= texts.messages.flatMap(({ line, order, record, reply }) => {
        const isOff = record !== undefined && isLeft(record) && !isFollowed(reply)
        return isOff || isTakenBack(line, order) ? [{ line, order }] : []
      })
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
