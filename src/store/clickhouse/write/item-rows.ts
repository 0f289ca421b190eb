import type { Position } from '../../../model/position.ts'
import type { Who } from '../../../model/session.ts'
import { tokenStream } from '../../../search/words.ts'
import type { MessageExtra, MessageRow } from '../../increment.ts'
import type { Cell } from '../connection/connection.ts'
import { sql } from '../connection/literal.ts'
import { moreOf } from '../read/well-formed.ts'
import type { Scope } from '../scope.ts'
import type { Planned } from './plan.ts'

/** Positions of one statement. */
const AT_ONCE = 5000
/** Files whose rows are read in one statement. */
const FILES = 200

/** Later times share one month; see the tables. */
const LATEST_MS = 4_102_444_800_000

/** An item as it is stored, without its text. */
interface StoredItem extends Position {
  record: number
  digest: number
  who: Who
  more: string | null
  offset: number
  prompt: number
  aside: number
  at: number | null
}

/** The columns of `itemRow`. */
export const ITEM_TABLE = [
  ...['artifact', 'generation', 'line', 'place', 'record', 'digest', 'version', 'deleted', 'at', 'who'],
  ...['prompt', 'aside', 'offset', 'length', 'tool', 'target', 'more', 'text', 'words'],
]

const keyOf = ({ line, order }: Position): string => `${line}.${order}`

/**
 * Writes the items of a batch: what differs from what is stored, including what an interrupted batch left.
 * Removed items become rows that remove. Returns how many positions got an item that had none.
 */
export function writeItems(scope: Scope, planned: readonly Planned[]): number {
  const stored = loadItems(scope, planned)
  const rows: Cell[][] = []
  let added = 0
  const turned: { planned: Planned; aside: 0 | 1; positions: Position[] }[] = []
  for (const each of planned) {
    const changes = changesOf(each, stored.get(each.file.id) ?? [])
    for (const row of changes.rows) rows.push(row)
    added += changes.added
    for (const aside of [0, 1] as const)
      if (changes.turned[aside].length > 0)
        turned.push({ planned: each, aside, positions: changes.turned[aside] })
  }
  scope.connection.insert('item', ITEM_TABLE, rows)
  for (const { planned: each, aside, positions } of turned) turnAside(scope, each, aside, positions)
  return added
}

function loadItems({ connection }: Scope, planned: readonly Planned[]): Map<number, StoredItem[]> {
  const found = new Map<number, StoredItem[]>()
  for (let from = 0; from < planned.length; from += FILES) {
    const some = planned.slice(from, from + FILES)
    const conditions = some.map(({ file, increment }) => {
      const { fresh, fromLine, messages } = increment
      if (fresh) return sql`(artifact = ${file.id} AND generation = ${file.generation})`
      const earlier = messages.filter(({ line }) => line < fromLine)
      return sql`(artifact = ${file.id} AND generation = ${file.generation}
        AND (line >= ${fromLine} OR prompt = 1 OR aside = 1 ${{ sql: earlier.length > 0 ? `OR ${isAt(earlier)}` : '' }}))`
    })
    for (const [
      artifact,
      line,
      order,
      record,
      digest,
      who,
      more,
      offset,
      prompt,
      aside,
      at,
    ] of connection.select<
      [number, number, number, number, number, Who, string | null, number, number, number, number | null]
    >(sql`SELECT artifact, line, place, record, digest, who, if(prompt = 1, more, NULL), offset, prompt, aside, at
      FROM item FINAL PREWHERE artifact IN ${some.map(({ file }) => file.id)} WHERE ${{ sql: conditions.join(' OR ') }}`)) {
      let ofFile = found.get(artifact)
      if (!ofFile) {
        ofFile = []
        found.set(artifact, ofFile)
      }
      ofFile.push({ line, order, record, digest, who, more, offset, prompt, aside, at })
    }
  }
  return found
}

const isAt = (positions: readonly Position[]): string =>
  `(line, place) IN (${positions.map(({ line, order }) => `(${Number(line)}, ${Number(order)})`).join(', ')})`

interface Changes {
  rows: Cell[][]
  /** Positions that had no item. */
  added: number
  /** Positions of other items that move to an abandoned branch, or back. */
  turned: Record<0 | 1, Position[]>
}

function changesOf({ file, increment }: Planned, stored: readonly StoredItem[]): Changes {
  const { fresh, fromLine, messages, prompts, left } = increment
  const wanted = new Map<string, { row: MessageRow; prompt: 0 | 1 }>()
  for (const row of messages) wanted.set(keyOf(row), { row, prompt: 0 })
  for (const row of prompts ?? []) wanted.set(keyOf(row), { row, prompt: 1 })
  const aside = new Map(left.map((position) => [keyOf(position), position]))
  const changes: Changes = { rows: [], added: wanted.size, turned: { 0: [], 1: [] } }
  for (const item of stored) {
    const key = keyOf(item)
    const isAside = aside.has(key) ? 1 : 0
    const instead = wanted.get(key)
    if (instead) {
      changes.added--
      const same = instead.row.record === item.record && instead.row.digest === item.digest
      const moves = monthOf(item.at) !== monthOf(wholeOf(instead.row.at))
      if (same && !moves && isUnchanged(item, instead.row, instead.prompt, isAside)) {
        wanted.delete(key)
        aside.delete(key)
      }
      // Rows of two months never replace each other.
      if (!same || moves) changes.rows.push(removal(file, item))
    } else if (fresh || item.line >= fromLine || (item.prompt === 1 && prompts))
      changes.rows.push(removal(file, item))
    else {
      if (item.aside !== isAside) changes.turned[isAside].push(item)
      aside.delete(key)
    }
  }
  for (const [key, { row, prompt }] of wanted)
    changes.rows.push(itemRow(file, row, prompt, aside.delete(key) ? 1 : 0))
  // The others were not loaded, because they are on no abandoned branch yet.
  for (const position of aside.values()) changes.turned[1].push(position)
  return changes
}

/** The month of an item, by which the engine keeps it apart from others. */
function monthOf(at: number | null): number {
  if (at === null || at < 1 || at > LATEST_MS) return 0
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Whether a prompt is stored as it is now. Other items are written again. */
function isUnchanged(item: StoredItem, row: MessageRow, prompt: 0 | 1, aside: 0 | 1): boolean {
  if (prompt === 0 || item.prompt === 0 || item.aside !== aside) return false
  const label = item.more === null ? undefined : (JSON.parse(item.more) as MessageExtra).label
  return item.who === row.who && item.offset === row.offset && label === row.more?.label
}

const removal = ({ id, generation, version }: Planned['file'], item: StoredItem): Cell[] => [
  ...[id, generation, item.line, item.order, item.record, item.digest, version, 1, item.at, item.who],
  ...[0, 0, 0, 0, null, null, null, null, ''],
]

export const itemRow = (
  { id, generation, version }: Pick<Planned['file'], 'id' | 'generation' | 'version'>,
  row: MessageRow,
  prompt: 0 | 1,
  aside: 0 | 1,
): Cell[] => [
  ...[id, generation, row.line, row.order, row.record, row.digest, version, 0, wholeOf(row.at), row.who],
  ...[prompt, aside, row.offset, row.length, row.tool, row.target, moreOf(row), row.text],
  tokenStream(row.text ?? row.target ?? ''),
]

const wholeOf = (at: number | null): number | null =>
  at === null || !Number.isFinite(at) ? null : Math.trunc(at)

/** The engine copies the rows, because their texts need not come here. */
function turnAside(
  { connection }: Scope,
  { file }: Planned,
  aside: 0 | 1,
  positions: readonly Position[],
): void {
  for (let from = 0; from < positions.length; from += AT_ONCE)
    connection.run(sql`INSERT INTO item SELECT * REPLACE (${file.version} AS version, ${aside} AS aside)
      FROM item AS i FINAL WHERE i.artifact = ${file.id} AND i.generation = ${file.generation}
      AND i.aside <> ${aside} AND ${{ sql: isAt(positions.slice(from, from + AT_ONCE)) }}`)
}
