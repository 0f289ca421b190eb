import { hashText, type IdHash, IdMap, IdSet } from './id-set.ts'

/** The tree of a file that was read so far: plain data. */
export interface BranchState {
  parents: Int32Array
  turns: Int32Array
  leaf: IdHash
}

/**
 * Which records stand on the branch that was followed to the end. A record is abandoned only when its line of parents
 * meets the active branch somewhere below it, and a turn lies on the way: results of tools that ran side by side, and
 * notes beside the conversation, also hang off it without having been left. One whose parents are not in the file is
 * nobody's lost branch.
 */
export function createBranches(expected: number, before?: BranchState) {
  const parents = new IdMap(expected, before?.parents)
  const turns = new IdSet(undefined, before?.turns)
  const leaf: IdHash = before ? { ...before.leaf } : { high: 0, low: 0 }
  const one: IdHash = { high: 0, low: 0 }
  const other: IdHash = { high: 0, low: 0 }
  return {
    save: (): BranchState => ({ parents: parents.entries(), turns: turns.entries(), leaf: { ...leaf } }),
    /** A record and the one it answers; `parent` without a value stands for none. */
    link: (id: IdHash, parent: IdHash): void => parents.set(id, parent),
    /** The same by their ids, where a record names no parent but the one it follows. */
    join(id: string, parent: string): void {
      hashText(id, one)
      hashText(parent, other)
      if (parents.has(one)) parents.set(one, other)
    },
    /** The conversation went on here. */
    tip: (id: string): void => hashText(id, leaf),
    tipHash({ high, low }: IdHash): void {
      leaf.high = high
      leaf.low = low
    },
    /** A new turn began here: the place where branches part. */
    turn(id: string): void {
      hashText(id, one)
      turns.add(one)
    },
    /** Answers whether a record was left behind. */
    settle(): (id: IdHash) => boolean {
      const active = new IdMap(parents.size)
      const at = { ...leaf }
      while (at.low !== 0 && !active.has(at) && parents.has(at)) {
        const id = { ...at }
        parents.get(id, at)
        active.set(id, at)
      }
      if (active.size === parents.size) return () => false
      const record = { high: 0, low: 0 }
      return (id) => {
        record.high = id.high
        record.low = id.low
        if (active.has(record) || !parents.has(record)) return false
        let turned = false
        // More steps than records would be a circle.
        for (let steps = 0; steps < parents.size && record.low !== 0; steps++) {
          turned ||= turns.has(record)
          parents.get(record, record)
          if (active.has(record)) return turned
        }
        return false
      }
    },
  }
}

export type Branches = ReturnType<typeof createBranches>
