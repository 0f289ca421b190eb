import { hashText, type IdHash } from '../hash.ts'
import { IdMap } from '../id-set.ts'
import { ACTIVE, AWAITED, FRESH, LINKED, SEEN, TURN } from './record-flags.ts'
import type { IdTable } from './state/id-table.ts'

/** The tree of records read so far, as plain data. The records themselves are in a table of their own. */
export interface BranchState {
  leaf: IdHash
  /** The latest record of the active branch, as the records are marked. Absent if none is marked. */
  marked?: IdHash
  /** Its chain of parents comes back to itself. */
  cyclic?: boolean
  linked: number
  active: number
}

/** The chain of parents does not meet the active branch. */
const APART = 1
/** The chain meets the active branch without a turn in between. */
const BESIDE = 2
/** The chain meets the active branch with a turn in between, so the record is abandoned. */
const LEFT = 3

/**
 * At most this many records of earlier readings may join or leave the active branch. With more, all records
 * are marked again.
 */
const MOST_MOVED = 512

/**
 * Finds the records on abandoned branches. A record is abandoned only if its chain of parents meets the
 * active branch with a turn in between. Results of parallel tool calls and side notes hang off the active
 * branch without a turn and are not abandoned. Neither is a record whose parents are not in the file.
 */
export function createBranches(records: IdTable, before?: BranchState) {
  const leaf: IdHash = before ? { ...before.leaf } : { high: 0, low: 0 }
  let marked = before?.marked
  let cyclic = before?.cyclic ?? false
  let linked = before?.linked ?? 0
  let active = before?.active ?? 0
  /** Something changed about records of earlier readings. */
  let stale = false
  /** What was decided of those records is as it was. */
  let holds = true
  /** Parents that were not in the file when a record named them. */
  const missing: number[] = []
  const one: IdHash = { high: 0, low: 0 }
  const other: IdHash = { high: 0, low: 0 }
  const value: IdHash = { high: 0, low: 0 }

  function link(id: IdHash, parent: IdHash): void {
    const flags = records.get(id, value)
    if (flags & LINKED) {
      if (isSame(value, parent)) return
      if (!(flags & FRESH)) stale = true
      records.put(id, flags, parent)
    } else {
      if (flags & AWAITED) stale = true
      linked++
      records.put(id, (flags & ~AWAITED) | LINKED | FRESH, parent)
    }
    if (parent.low !== 0 && !(records.get(parent) & LINKED)) missing.push(parent.high, parent.low)
  }

  /** Notes which records the file may still contain later, because others name them as their parents. */
  function awaitParents(): void {
    while (missing.length > 0) {
      one.low = missing.pop()!
      one.high = missing.pop()!
      const flags = records.get(one, value)
      if (!(flags & LINKED)) records.put(one, flags | AWAITED, flags === 0 ? NONE : value)
    }
  }

  /** Moves the marks from the earlier latest record to the new one. Returns false if more has to change. */
  function extend(): boolean {
    if (stale || cyclic || !marked) return false
    if (!(records.get(leaf) & LINKED)) return active === 0
    const joining: number[] = []
    const meeting = { ...leaf }
    for (let moved = 0; ; ) {
      const flags = records.get(meeting, value)
      if (!(flags & LINKED) || joining.length > 2 * linked) return false
      if (flags & ACTIVE) break
      if (!(flags & FRESH) && (flags & TURN || ++moved > MOST_MOVED)) return false
      joining.push(meeting.high, meeting.low)
      copy(value, meeting)
    }
    const leaving: number[] = []
    const at = { ...marked }
    while (!isSame(at, meeting)) {
      const flags = records.get(at, value)
      if (!(flags & ACTIVE) || leaving.length > 2 * MOST_MOVED || (flags & TURN && !(flags & FRESH)))
        return false
      leaving.push(at.high, at.low)
      copy(value, at)
    }
    active += (joining.length - leaving.length) / 2
    change(leaving, (flags) => flags & ~ACTIVE)
    change(joining, (flags) => flags | ACTIVE)
    marked = { ...leaf }
    return true
  }

  function change(ids: readonly number[], to: (flags: number) => number): void {
    for (let index = 0; index < ids.length; index += 2) {
      one.high = ids[index]!
      one.low = ids[index + 1]!
      records.put(one, to(records.get(one, value)), value)
    }
  }

  function markAll(): void {
    if (marked) records.mapFlags((flags) => flags & ~ACTIVE)
    active = 0
    copy(leaf, one)
    for (;;) {
      const flags = records.get(one, value)
      cyclic = (flags & ACTIVE) !== 0
      if (!(flags & LINKED) || cyclic) break
      records.put(one, flags | ACTIVE, value)
      active++
      copy(value, one)
    }
    marked = { ...leaf }
    stale = false
  }

  /** Returns a test for whether a record is abandoned. */
  function abandoned(): (id: IdHash) => boolean {
    if (active === linked) return () => false
    // What is known of the records off the active branch. Each is visited once: chains of parents may be as
    // long as the file.
    const verdicts = new IdMap()
    const chain: number[] = []
    const record: IdHash = { high: 0, low: 0 }
    const parent: IdHash = { high: 0, low: 0 }
    const verdict: IdHash = { high: 0, low: 0 }
    return (id) => {
      let flags = records.get(id, parent)
      if (flags & ACTIVE || !(flags & LINKED)) return false
      copy(id, record)
      chain.length = 0
      verdict.high = APART
      for (; flags & LINKED; flags = records.get(record, parent)) {
        if (flags & ACTIVE) {
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
        copy(parent, record)
      }
      while (chain.length > 0) {
        record.low = chain.pop()!
        record.high = chain.pop()!
        if (verdict.high === BESIDE && records.get(record) & TURN) verdict.high = LEFT
        verdicts.set(record, verdict)
      }
      verdicts.get(id, verdict)
      return verdict.high === LEFT
    }
  }

  return {
    save: (): BranchState => ({ leaf: { ...leaf }, ...(marked && { marked, cyclic }), linked, active }),
    /** Links a record to its parent. A parent of zeros means none. */
    link,
    /** Changes the parent of a record that named none to the record it follows. */
    join(id: string, parent: string): void {
      hashText(id, one)
      hashText(parent, other)
      if (records.get(one) & LINKED) link(one, other)
    },
    /** Marks the record as the latest of the conversation. */
    tip: (id: string): void => hashText(id, leaf),
    tipHash: (id: IdHash): void => copy(id, leaf),
    /** Marks the record as the start of a turn, where branches can part. */
    turn(id: string): void {
      hashText(id, one)
      const flags = records.get(one, value)
      if (flags & LINKED && !(flags & FRESH)) stale = true
      records.put(one, flags === 0 ? TURN : flags | TURN, flags === 0 ? NONE : value)
    },
    /** Notes that the file contains the record. Returns false if that was known. */
    see(id: IdHash): boolean {
      const flags = records.get(id, value)
      if (flags & SEEN) return false
      records.put(id, flags | SEEN, flags === 0 ? NONE : value)
      return true
    },
    /**
     * Decides which records are abandoned, as far as the file was read. `holds`: this is as it was for all
     * records of earlier readings.
     */
    settle(): { isAbandoned: (id: IdHash) => boolean; holds: boolean } {
      awaitParents()
      if (!extend()) {
        markAll()
        holds = false
      }
      return { isAbandoned: abandoned(), holds }
    },
  }
}

const NONE: IdHash = { high: 0, low: 0 }

const isSame = (one: IdHash, other: IdHash): boolean => one.high === other.high && one.low === other.low

function copy({ high, low }: IdHash, to: IdHash): void {
  to.high = high
  to.low = low
}

export type Branches = ReturnType<typeof createBranches>
