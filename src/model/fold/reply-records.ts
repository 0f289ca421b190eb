import type { IdHash } from '../hash.ts'
import { IdSet } from '../id-set.ts'

/** Records which records contain a reply. A reply is abandoned only if all of them are. */
export function createReplyRecords(before?: Int32Array) {
  /** Pairs of record and reply, four numbers per pair. */
  const pairs: number[] = before ? [...before] : []
  return {
    save: (): Int32Array => Int32Array.from(pairs),
    add: (record: IdHash, reply: IdHash): void =>
      void pairs.push(record.high, record.low, reply.high, reply.low),
    /** Replies with at least one record on the active branch. */
    followed(abandoned: (record: IdHash) => boolean): IdSet {
      const followed = new IdSet(pairs.length / 4)
      for (let at = 0; at < pairs.length; at += 4)
        if (!abandoned({ high: pairs[at]!, low: pairs[at + 1]! }))
          followed.add({ high: pairs[at + 2]!, low: pairs[at + 3]! })
      return followed
    },
  }
}
