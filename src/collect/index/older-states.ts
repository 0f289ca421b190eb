import type { CountedUsage } from '../../model/fold/counted-usage.ts'
import type { FoldState } from '../../model/fold/fold.ts'
import type { Prompt, Waiting } from '../../model/fold/prompts/prompt.ts'
import { noteOriginal } from '../../model/fold/prompts/prompts.ts'
import { AWAITED, LINKED, SEEN, TURN } from '../../model/fold/record-flags.ts'
import type { ReplyCounts } from '../../model/fold/reply-context.ts'
import { IdTable, type IdTableState } from '../../model/fold/state/id-table.ts'
import type { LongListState } from '../../model/fold/state/long-list.ts'
import { NO_PARTS } from '../../model/fold/state/parts.ts'
import {
  type UsageColumns,
  usagesFromColumns,
  usagesInColumns,
} from '../../model/fold/state/usage-columns.ts'
import { UsageTable, type UsageTableState } from '../../model/fold/state/usage-table.ts'
import type { StatedState } from '../../model/fold/stated-usage.ts'
import type { TurnState } from '../../model/fold/turns.ts'
import type { IdHash } from '../../model/hash.ts'
import type { Position } from '../../model/position.ts'

/** A state as version 0.1.0 stored it, in one piece. */
export type OlderState = Omit<
  FoldState,
  'prompts' | 'records' | 'branches' | 'turns' | 'replies' | 'outside'
> & {
  prompts: {
    prompts: Prompt[]
    waiting: Waiting[]
    doubtful: boolean
    delivered: Waiting[]
    absorbed: Waiting[]
  }
  branches: { parents: Int32Array; turns: Int32Array; leaf: IdHash }
  turns?: { begins: number[]; takenBack: number[] }
  seen: Int32Array
  replies: ReplyCounts & {
    replies: Int32Array
    records: Int32Array
    recent: string[]
    positions: Iterable<number>
    callIds: Int32Array
    calls: FoldState['replies']['calls']
    touched: Map<string, number>
    usages: { usages: ReadonlyMap<number, CountedUsage> | UsageColumns; stated: StatedState }
  }
}

export const isOlder = (state: FoldState | OlderState): state is OlderState => 'seen' in state

/** The same state in its present form. The speakers and branches are decided again when it is resumed. */
export function fromOlder(older: OlderState): FoldState {
  const { prompts, branches, turns, seen, replies, ...rest } = older
  const { records: pairs, positions, callIds, usages, ...counts } = replies
  return {
    ...rest,
    prompts: {
      ...{ waiting: prompts.waiting, doubtful: prompts.doubtful },
      prompts: listOf(prompts.prompts),
      originals: originalsOf(prompts.prompts),
      delivered: listOf(prompts.delivered),
      absorbed: listOf(prompts.absorbed),
    },
    ...recordsOf(branches, seen),
    turns: turnsOf(turns),
    replies: {
      ...counts,
      replies: idsOf(replies.replies),
      messages: listOf(positions),
      records: listOf(pairs),
      callIds: idsOf(callIds),
      usages: { table: usagesOf(usages.usages), stated: usages.stated },
    },
  }
}

const listOf = <Each>(open: Iterable<Each>): LongListState<Each> => ({ closed: 0, before: 0, open })

/** A table in one piece: its pages are made when it is resumed. */
const inOnePiece = (table: IdTable): IdTableState => ({
  count: table.size,
  pages: 1,
  entries: table.entries(),
})

function idsOf(numbers: Int32Array): IdTableState {
  const table = new IdTable('ids', NO_PARTS)
  for (const { id } of hashesIn(numbers, 2)) table.put(id, 1)
  return inOnePiece(table)
}

function* hashesIn(numbers: Int32Array, each: 2 | 4): Generator<{ id: IdHash; value: IdHash }> {
  for (let at = 0; at + each <= numbers.length; at += each)
    yield {
      id: { high: numbers[at]!, low: numbers[at + 1]! },
      value: { high: numbers[at + 2] ?? 0, low: numbers[at + 3] ?? 0 },
    }
}

function recordsOf(
  { parents, turns, leaf }: OlderState['branches'],
  seen: Int32Array,
): Pick<FoldState, 'records' | 'branches'> {
  const table = new IdTable('records', NO_PARTS)
  const value: IdHash = { high: 0, low: 0 }
  const flag = (id: IdHash, added: number): void => {
    const flags = table.get(id, value)
    table.put(id, flags | added, flags === 0 ? undefined : value)
  }
  for (const { id, value: parent } of hashesIn(parents, 4)) table.put(id, LINKED, parent)
  for (const { id } of hashesIn(seen, 2)) flag(id, SEEN)
  for (const { id } of hashesIn(turns, 2)) flag(id, TURN)
  for (const { value: parent } of hashesIn(parents, 4))
    if (parent.low !== 0 && !(table.get(parent) & LINKED)) flag(parent, AWAITED)
  return { records: inOnePiece(table), branches: { leaf, linked: parents.length / 4, active: 0 } }
}

function originalsOf(prompts: readonly Prompt[]): IdTableState {
  const table = new IdTable('originals', NO_PARTS)
  for (const [index, prompt] of prompts.entries()) noteOriginal(table, prompt, index)
  return inOnePiece(table)
}

function turnsOf(turns: OlderState['turns']): TurnState {
  const begins = positionsIn(turns?.begins ?? [])
  const ends = positionsIn(turns?.takenBack ?? [])
  const takenBack: TurnState['takenBack'] = []
  for (let at = 0; at + 1 < ends.length; at += 2) takenBack.push({ from: ends[at]!, until: ends[at + 1]! })
  return { begins: listOf(begins), takenBack }
}

function positionsIn(numbers: readonly number[]): Position[] {
  const positions: Position[] = []
  for (let at = 0; at + 1 < numbers.length; at += 2)
    positions.push({ line: numbers[at]!, order: numbers[at + 1]! })
  return positions
}

function usagesOf(usages: OlderState['replies']['usages']['usages']): UsageTableState {
  const all = usages instanceof Map ? usages : usagesFromColumns(usages as UsageColumns)
  const table = new UsageTable(NO_PARTS)
  for (const [reply, usage] of all) table.set(reply, usage)
  return { ...table.save(new Map()), pages: 1, usages: usagesInColumns(all) }
}
