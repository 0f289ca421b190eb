import type { Branches } from './branches.ts'
import { hashText, type IdHash, IdSet } from './id-set.ts'
import type { Prompt } from './prompts.ts'
import type { Item } from './session.ts'

/** What only the end of a file tells, learned in one pass so that a second can tell items as they come. */
export interface Settlement {
  /** Everything said to the agent, in file order, with who said it. */
  prompts: readonly Prompt[]
  /** Whether an item was said on a branch that was left behind. */
  left(item: Item): boolean
}

/** Remembers which records a reply stands in: it is left behind only with all of them. */
export function createReplyRecords() {
  /** Pairs of record and reply, four numbers each. */
  const pairs: number[] = []
  return {
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

/** Made when the file was read to its end; what it takes is reckoned when somebody asks. */
export function createSettlement(
  prompts: readonly Prompt[],
  branches: Branches,
  records: ReturnType<typeof createReplyRecords>,
): Settlement {
  let abandoned: ReturnType<Branches['settle']> | undefined
  let followed: IdSet | undefined
  const hash = { high: 0, low: 0 }
  return {
    prompts,
    // Tool calls made side by side hang beside the branch they belong to; only words can be left behind.
    left({ id, who, messageId }) {
      if (id === undefined || who === 'tool' || who === 'error' || who === 'marker') return false
      abandoned ??= branches.settle()
      hashText(id, hash)
      if (!abandoned(hash)) return false
      if (messageId === undefined) return true
      followed ??= records.followed(abandoned)
      hashText(messageId, hash)
      return !followed.has(hash)
    },
  }
}
