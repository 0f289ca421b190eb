import { hashText, type IdHash } from '../hash.ts'
import { IdMap, IdSet } from '../id-set.ts'

/** The tree of records read so far, as plain data. */
export interface BranchState {
  parents: Int32Array
  turns: Int32Array
  leaf: IdHash
}

/** The chain of parents does not meet the active branch. */
const APART = 1
/** The chain meets the active branch without a turn in between. */
const BESIDE = 2
/** The chain meets the active branch with a turn in between, so the record is abandoned. */
const LEFT = 3

/**
 * Finds the records on abandoned branches. A record is abandoned only if its chain of parents meets the
 * active branch with a turn in between. Results of parallel tool calls and side notes hang off the active
 * branch without a turn and are not abandoned. Neither is a record whose parents are not in the file.
 */
export function createBranches(expected: number, before?: BranchState) {
  const parents = new IdMap(expected, before?.parents)
  const turns = new IdSet(undefined, before?.turns)
  const leaf: IdHash = before ? { ...before.leaf } : { high: 0, low: 0 }
  const one: IdHash = { high: 0, low: 0 }
  const other: IdHash = { high: 0, low: 0 }
  return {
    save: (): BranchState => ({ parents: parents.entries(), turns: turns.entries(), leaf: { ...leaf } }),
    /** Links a record to its parent. A parent of zeros means none. */
    link: (id: IdHash, parent: IdHash): void => parents.set(id, parent),
    /** Changes the parent of a record that named none to the record it follows. */
    join(id: string, parent: string): void {
      hashText(id, one)
      hashText(parent, other)
      if (parents.has(one)) parents.set(one, other)
    },
    /** Marks the record as the latest of the conversation. */
    tip: (id: string): void => hashText(id, leaf),
    tipHash({ high, low }: IdHash): void {
      leaf.high = high
      leaf.low = low
    },
    /** Marks the record as the start of a turn, where branches can part. */
    turn(id: string): void {
      hashText(id, one)
      turns.add(one)
    },
    /** Returns a test for whether a record is abandoned. */
    settle(): (id: IdHash) => boolean {
      const active = new IdMap(parents.size)
      const at = { ...leaf }
      while (at.low !== 0 && !active.has(at) && parents.has(at)) {
        const id = { ...at }
        parents.get(id, at)
        active.set(id, at)
      }
      if (active.size === parents.size) return () => false
      // What is known of the records off the active branch. Each is visited once: chains of parents may be as
      // long as the file.
      const verdicts = new IdMap()
      const chain: number[] = []
      const record: IdHash = { high: 0, low: 0 }
      const verdict: IdHash = { high: 0, low: 0 }
      return (id) => {
        if (active.has(id) || !parents.has(id)) return false
        record.high = id.high
        record.low = id.low
        chain.length = 0
        verdict.high = APART
        while (parents.has(record)) {
          if (active.has(record)) {
            verdict.high = BESIDE
            break
          }
          if (verdicts.has(record)) {
            verdicts.get(record, verdict)
            break
          }
          chain.push(record.high, record.low)
          // Holds if the chain comes back here, because then it never meets the active branch.
          verdicts.set(record, verdict)
          parents.get(record, record)
        }
        while (chain.length > 0) {
          record.low = chain.pop()!
          record.high = chain.pop()!
          if (verdict.high === BESIDE && turns.has(record)) verdict.high = LEFT
          verdicts.set(record, verdict)
        }
        verdicts.get(id, verdict)
        return verdict.high === LEFT
      }
    },
  }
}

export type Branches = ReturnType<typeof createBranches>
