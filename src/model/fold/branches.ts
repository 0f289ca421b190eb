import { idNumber } from '../hash.ts'
import type { Item, Position } from '../session.ts'
import { cleanItem, type FoldedItem, ITEMS_PER_EVENT, itemOf, type OfRecord } from './items.ts'
import { type Prompt, promptItem } from './prompts.ts'
import type { Replies } from './replies.ts'

/** A record of the file, or one that another record names. */
interface RecordNode {
  /** The record that it follows. */
  parent?: RecordNode | undefined
  /** The file contains it. */
  linked: boolean
  /** It was folded. Another one with its id is a duplicate. */
  seen: boolean
  /** A turn begins with it. */
  turn: boolean
  /** It is on the active branch. */
  active: boolean
}

/**
 * What is known of a record off the active branch: its chain of parents does not meet the active branch, or
 * meets it without a turn in between, or with one. Then the record is abandoned.
 */
type Verdict = 'apart' | 'beside' | 'left'

/**
 * Finds the records on abandoned branches. A record is abandoned only if its chain of parents meets the
 * active branch with a turn in between. Results of parallel tool calls and side notes hang off the active
 * branch without a turn and are not abandoned. Neither is a record whose parents are not in the file.
 */
export function createBranches() {
  const records = new Map<string, RecordNode>()
  let leaf: string | undefined

  function nodeOf(id: string): RecordNode {
    let node = records.get(id)
    if (!node) {
      node = { linked: false, seen: false, turn: false, active: false }
      records.set(id, node)
    }
    return node
  }

  function link(id: string, parent: string | undefined): void {
    const node = nodeOf(id)
    node.linked = true
    node.parent = parent === undefined ? undefined : nodeOf(parent)
  }

  /** Marks the records from the latest one to the first. Returns whether all records are among them. */
  function markActive(): boolean {
    let linked = 0
    for (const node of records.values()) {
      node.active = false
      if (node.linked) linked++
    }
    let active = 0
    for (let node = at(leaf); node?.linked && !node.active; node = node.parent) {
      node.active = true
      active++
    }
    return active === linked
  }

  const at = (id: string | undefined): RecordNode | undefined =>
    id === undefined ? undefined : records.get(id)

  return {
    /** Links a record to the one that it follows, if any. */
    link,
    /** Changes the parent of a record that named none to the record it follows. */
    join(id: string, parent: string): void {
      if (records.get(id)?.linked) link(id, parent)
    },
    /** Marks the record as the latest of the conversation. */
    tip(id: string): void {
      leaf = id
    },
    /** Marks the record as the start of a turn, where branches can part. */
    turn(id: string): void {
      nodeOf(id).turn = true
    },
    /** Notes that the file contains the record. Returns false if that was known. */
    see(id: string): boolean {
      const node = nodeOf(id)
      const isFirst = !node.seen
      node.seen = true
      return isFirst
    },
    /** Whether the record was folded. */
    contains: (id: string): boolean => records.get(id)?.seen === true,
    /** Returns a test for whether a record is abandoned, as far as the file was read. */
    abandoned(): (id: string) => boolean {
      if (markActive()) return () => false
      // Each record is visited once: chains of parents may be as long as the file.
      const verdicts = new Map<RecordNode, Verdict>()
      return (id) => {
        const record = at(id)
        if (!record?.linked || record.active) return false
        const chain: RecordNode[] = []
        let verdict: Verdict = 'apart'
        for (let node: RecordNode | undefined = record; node?.linked; node = node.parent) {
          const known: Verdict | undefined = node.active ? 'beside' : verdicts.get(node)
          if (known) {
            verdict = known
            break
          }
          chain.push(node)
          // Holds if the chain comes back here, because then it never meets the active branch.
          verdicts.set(node, 'apart')
        }
        for (const node of chain.reverse()) {
          if (verdict === 'beside' && node.turn) verdict = 'left'
          verdicts.set(node, verdict)
        }
        return verdicts.get(record) === 'left'
      }
    },
  }
}

/** Turns by position, for clients that take back the last ones without naming records. */
export function createTurns() {
  const begins: (Position & { id?: string })[] = []
  /** Spans that the human took back, without the position where that happened. */
  const takenBack: { from: Position; until: Position }[] = []
  return {
    /** How many there are. */
    count: (): number => begins.length,
    /** `id`: the record that it begins with. */
    begin: (line: number, order: number, id?: string): void => void begins.push({ line, order, id }),
    /** Gives the last turns other ids, unless one of these is known. */
    rename(ids: readonly string[]): void {
      const known = new Set(begins.map(({ id }) => id))
      if (ids.some((id) => known.has(id))) return
      const last = begins.slice(-ids.length)
      for (const [index, turn] of last.entries()) turn.id = ids[ids.length - last.length + index]
    },
    /**
     * Takes back the last turns, those from a record on, or those that follow. The first two end at this
     * position. A record that is unknown takes back all.
     */
    takeBack(which: number | 'following' | { from: string }, line: number, order: number): void {
      if (which === 'following') {
        takenBack.push({ from: { line, order }, until: { line: Number.POSITIVE_INFINITY, order } })
        return
      }
      const first =
        typeof which === 'number' ? begins.length - which : begins.findIndex(({ id }) => id === which.from)
      const [from] = begins.splice(Math.max(0, first))
      if (from) takenBack.push({ from, until: { line, order } })
    },
    /** Whether the turn at a position was taken back. */
    isTakenBack(line: number, order: number): boolean {
      const position = { line, order }
      return takenBack.some(({ from, until }) => !isBefore(position, from) && isBefore(position, until))
    },
  }
}

const isBefore = (one: Position, other: Position): boolean =>
  one.line < other.line || (one.line === other.line && one.order < other.order)

export type Settlement = ReturnType<typeof createSettlement>

/**
 * Facts that are only known at the end of a file, or of the part so far. A first pass collects them, so that
 * a second pass can stream items. They are computed lazily. `abandoned`: which records are.
 */
export function createSettlement(
  /** All prompts with their speakers, in file order. */
  prompts: readonly Prompt[],
  abandoned: () => (record: string) => boolean,
  turns: ReturnType<typeof createTurns>,
  replies: Replies,
  others: readonly OfRecord[],
) {
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
    doneCalls: replies.doneCalls,
    /** The final usage of a reply. */
    usageOf: usages.of,
    /** The prompts as items. */
    promptItems: (): FoldedItem[] => prompts.map((each) => itemOf(each.event, promptItem(each))),
    /** Whether an item is on an abandoned branch. */
    isOffBranch({ id, messageId, line, order }: Item): boolean {
      if (isTakenBack(line, order)) return true
      if (id === undefined || !isLeft(id)) return false
      return messageId === undefined ? !isRepeated(id) : !isFollowed(idNumber(messageId))
    },
    /** The positions of everything on abandoned branches but prompts. */
    abandonedItems(): Position[] {
      const isOff = ({ line, order, record, reply }: OfRecord): boolean =>
        isTakenBack(line, order) ||
        (record !== undefined && isLeft(record) && (reply === undefined || !isFollowed(reply)))
      positions ??= [...texts.messages.filter(isOff), ...others.filter(isOff)].map(({ line, order }) => ({
        line,
        order,
      }))
      return positions
    },
  }
}

/** The item with its texts redacted, and with what is only known at the end of the file. */
export function finishedItem(
  item: FoldedItem,
  { isOffBranch, usageOf }: Settlement,
  clean: (text: string) => string,
): Item {
  const finished = cleanItem(item, clean)
  if (isOffBranch(item)) finished.offBranch = true
  const usage = item.reply === undefined ? undefined : usageOf(item.reply)
  if (usage) finished.usage = usage.model === undefined ? usage : { ...usage, model: clean(usage.model) }
  return finished
}
