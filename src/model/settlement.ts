import type { Branches } from './branches.ts'
import { hashText, type IdHash, IdSet } from './id-set.ts'
import { itemOf, toldPrompt } from './item.ts'
import type { Prompt } from './prompts.ts'
import type { Item } from './session.ts'
import type { UsageCount } from './usage-count.ts'

/** What only the end of a file tells: learned in one pass so that a second can tell items as they come. */
export interface Settlement {
  /** Everything said to the agent, in file order, with who said it. */
  prompts: readonly Prompt[]
  /** The same as items. */
  told(): Item[]
  /** Whether an item was said on a branch that was left behind. */
  left(item: Item): boolean
  /** What a reply used in the end. */
  usageOf: UsageCount['of']
  /** The same as `left` for all words of the agent: places of those that were left, line and order in turn. */
  leftReplies(): number[]
}

/** Remembers which records a reply stands in: it is left behind only with all of them. */
export function createReplyRecords(before?: Int32Array) {
  /** Pairs of record and reply, four numbers each. */
  const pairs: number[] = before ? [...before] : []
  return {
    save: (): Int32Array => Int32Array.from(pairs),
    add: (record: IdHash, reply: IdHash): void =>
      void pairs.push(record.high, record.low, reply.high, reply.low),
    /** Replies of which a record stands on the active branch. */
    followed(abandoned: (record: IdHash) => boolean): IdSet {
      const followed = new IdSet(pairs.length / 4)
      for (let at = 0; at < pairs.length; at += 4)
        if (!abandoned({ high: pairs[at]!, low: pairs[at + 1]! }))
          followed.add({ high: pairs[at + 2]!, low: pairs[at + 3]! })
      return followed
    },
  }
}

/** Made when the file was read to its end, or so far; what it takes is reckoned when somebody asks. */
export function createSettlement(
  prompts: readonly Prompt[],
  branches: Branches,
  {
    records,
    said,
    usages,
  }: { records: ReturnType<typeof createReplyRecords>; said: readonly number[]; usages: UsageCount },
): Settlement {
  let abandoned: ReturnType<Branches['settle']> | undefined
  let followed: IdSet | undefined
  let copies: Map<string, readonly string[]> | undefined
  const hash = { high: 0, low: 0 }

  const isLeft = (record: IdHash): boolean => {
    abandoned ??= branches.settle()
    return abandoned(record)
  }
  const isFollowed = (reply: IdHash): boolean => {
    followed ??= records.followed(abandoned!)
    return followed.has(reply)
  }
  /** Whether the words stand on the active branch in a copy of their record. */
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
    told: () => prompts.map((each) => itemOf(each.event, toldPrompt(each))),
    // Tool calls made side by side hang beside the branch they belong to; only words can be left behind.
    left({ id, who, messageId }) {
      if (id === undefined || who === 'tool' || who === 'error' || who === 'marker') return false
      hashText(id, hash)
      if (!isLeft(hash)) return false
      if (messageId === undefined) return !isRepeated(id)
      hashText(messageId, hash)
      return !isFollowed(hash)
    },
    leftReplies() {
      const places: number[] = []
      for (let at = 0; at < said.length; at += 6)
        if (
          isLeft({ high: said[at + 2]!, low: said[at + 3]! }) &&
          !isFollowed({ high: said[at + 4]!, low: said[at + 5]! })
        )
          places.push(said[at]!, said[at + 1]!)
      return places
    },
  }
}

/** Adds what only the end of the file tells of an item. */
export function finishItem(item: Item, { left, usageOf }: Settlement, clean: (text: string) => string): void {
  if (left(item)) item.offBranch = true
  const usage = item.reply === undefined ? undefined : usageOf(item.reply)
  if (usage) item.usage = usage.model === undefined ? usage : { ...usage, model: clean(usage.model) }
}
