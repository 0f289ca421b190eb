import { hashText, type IdHash } from '../hash.ts'
import type { IdSet } from '../id-set.ts'
import type { Position } from '../position.ts'
import type { Item } from '../session.ts'
import { ITEMS_PER_EVENT, itemOf, promptItem } from './item.ts'
import type { Prompt } from './prompts/prompt.ts'
import type { Replies } from './replies.ts'
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
  /**
   * The positions of agent messages on abandoned branches: of all, or of those since the state was loaded and
   * the one before.
   */
  abandonedReplies(): Position[]
}

interface SettlementParts {
  /** Which records are abandoned. */
  abandoned(): (record: IdHash) => boolean
  turns: Turns
  replies: Pick<Replies, 'texts' | 'usages'>
  /** Everything was decided again. Otherwise, only what was read since the state was loaded. */
  whole: boolean
}

/** Created after all of the file, or the part so far, has been read. Its parts are computed lazily. */
export function createSettlement(
  prompts: readonly Prompt[],
  { abandoned, turns, replies, whole }: SettlementParts,
): Settlement {
  const { texts, usages } = replies
  let isAbandoned: ((record: IdHash) => boolean) | undefined
  let followed: IdSet | undefined
  let copies: Map<string, readonly string[]> | undefined
  let positions: Position[] | undefined
  const hash = { high: 0, low: 0 }

  const isTakenBack = (line: number, order: number): boolean =>
    turns.isTakenBack(line, Math.floor(order / ITEMS_PER_EVENT))
  const isLeft = (record: IdHash): boolean => {
    isAbandoned ??= abandoned()
    return isAbandoned(record)
  }
  const isFollowed = (reply: IdHash): boolean => {
    followed ??= texts.followed(isLeft)
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
      if (positions) return positions
      positions = []
      texts.visit(whole, (position, record, reply) => {
        const left = isLeft(record)
        if (left) texts.markLeft(reply)
        if (isTakenBack(position.line, position.order) || (left && !isFollowed(reply)))
          positions!.push(position)
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
