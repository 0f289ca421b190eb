import { IdSet } from '../../../model/hash.ts'
import type { Position, Who } from '../../../model/session.ts'
import { collectWords, tokenStream } from '../../../search/words.ts'
import type { Increment, MessageExtra, MessageRow, UsageRow } from '../../increment.ts'
import type { Cell } from '../connection/connection.ts'
import { sql } from '../connection/literal.ts'
import { moreOf } from '../read/well-formed.ts'
import type { Scope } from '../scope.ts'
import type { Planned } from './files.ts'

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
  'artifact',
  'generation',
  'line',
  'place',
  'record',
  'digest',
  'version',
  'deleted',
  'at',
  'who',
  'prompt',
  'aside',
  'offset',
  'length',
  'tool',
  'target',
  'more',
  'text',
  'words',
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
  id,
  generation,
  item.line,
  item.order,
  item.record,
  item.digest,
  version,
  1,
  item.at,
  item.who,
  0,
  0,
  0,
  0,
  null,
  null,
  null,
  null,
  '',
]

export const itemRow = (
  { id, generation, version }: Pick<Planned['file'], 'id' | 'generation' | 'version'>,
  row: MessageRow,
  prompt: 0 | 1,
  aside: 0 | 1,
): Cell[] => [
  id,
  generation,
  row.line,
  row.order,
  row.record,
  row.digest,
  version,
  0,
  wholeOf(row.at),
  row.who,
  prompt,
  aside,
  row.offset,
  row.length,
  row.tool,
  row.target,
  moreOf(row),
  row.text,
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

/** The words that are not written again are forgotten at this number. */
const MOST_WORDS = 500_000

/** Something with messages. */
interface WithMessages {
  increment: Pick<Increment, 'messages' | 'prompts'>
}

/** Returns a function that writes the words of a batch, each of them once. */
export function createVocabulary({ connection, device }: Scope): (batch: readonly WithMessages[]) => void {
  let known = new IdSet()
  return (batch) => {
    if (known.size > MOST_WORDS) known = new IdSet()
    const words: string[] = []
    for (const { increment } of batch)
      for (const rows of [increment.messages, increment.prompts ?? []])
        for (const { text, target } of rows) collectWords(text ?? target ?? '', known, words)
    try {
      connection.insert(
        'vocabulary',
        ['word', 'device'],
        words.map((word) => [word, device]),
      )
    } catch (error) {
      known = new IdSet()
      throw error
    }
  }
}

/** The row is of the current part of its file, of a part that was cut off, or of one that may be. */
const CURRENT = 0
const CUT = 1
const PENDING = 2

type StoredUsage = UsageRow & { cut: number; version: number }

const VALUES = [
  'at',
  'model',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cost',
  'cacheWriteHour',
  'reasoning',
  'cut',
] as const satisfies readonly (keyof StoredUsage)[]

/** The columns of `usageRow`. */
export const USAGE_COLUMNS: readonly string[] = ['artifact', 'version', 'deleted', 'reply', ...VALUES]

/**
 * Writes the usage rows of a batch. `isCut` says of files that are read to their end whether a part of them
 * was cut off; see `settle`.
 */
export function writeUsages(
  scope: Scope,
  planned: readonly Planned[],
  isCut: (planned: Planned) => boolean | undefined,
): void {
  const wanted = planned.filter((each) => needsStored(each, isCut(each)))
  const stored = loadUsages(scope, wanted)
  const rows: Cell[][] = []
  for (const each of planned) {
    const { file, increment } = each
    const before = stored.get(file.id)
    if (!before) {
      if (!wanted.includes(each)) for (const row of increment.usages) rows.push(usageRow(file, row, CURRENT))
      else for (const row of changed(each, new Map(), isCut(each))) rows.push(row)
    } else for (const row of changed(each, before, isCut(each))) rows.push(row)
  }
  scope.connection.insert('usage', USAGE_COLUMNS, rows)
}

/** Whether more happens to the rows of a file than that some are added or replaced. */
const needsStored = ({ increment, restart }: Planned, isCut: boolean | undefined): boolean =>
  increment.allUsages ||
  restart !== undefined ||
  isCut !== undefined ||
  increment.usages.some(({ reply }) => reply < 0)

function loadUsages(
  { connection }: Scope,
  planned: readonly Planned[],
): Map<number, Map<number, StoredUsage>> {
  const found = new Map<number, Map<number, StoredUsage>>()
  if (planned.length === 0) return found
  const ids = planned.map(({ file }) => file.id)
  for (const [artifact, reply, version, ...values] of connection.select<[number, number, number, ...Cell[]]>(
    sql`SELECT artifact, reply, version, ${{ sql: VALUES.join(', ') }} FROM usage FINAL WHERE artifact IN ${ids}`,
  )) {
    let ofFile = found.get(artifact)
    if (!ofFile) {
      ofFile = new Map()
      found.set(artifact, ofFile)
    }
    const row = Object.fromEntries(VALUES.map((name, index) => [name, values[index]]))
    ofFile.set(reply, { ...row, reply, version } as StoredUsage)
  }
  return found
}

/** The rows that differ from those that are stored. */
function changed(
  { before, file, increment, restart }: Planned,
  stored: ReadonlyMap<number, StoredUsage>,
  isCut: boolean | undefined,
): Cell[][] {
  const rows = new Map<number, UsageRow & { cut: number }>()
  for (const [reply, row] of stored) {
    const { version } = row
    const cut = version > (before?.version ?? 0) ? cutBefore(row, restart !== undefined) : row.cut
    if (cut !== undefined) rows.set(reply, { ...row, cut })
  }
  const dropAll = (where: (row: UsageRow & { cut: number }) => boolean): void => {
    for (const [reply, row] of rows) if (where(row)) rows.delete(reply)
  }
  const turnAll = (from: number, to: number): void => {
    for (const [reply, row] of rows) if (row.cut === from) rows.set(reply, { ...row, cut: to })
  }
  if (restart) {
    dropAll(({ cut }) => cut === PENDING)
    if (restart.earlier !== undefined) turnAll(CURRENT, PENDING)
  }
  if (increment.allUsages) dropAll(({ cut }) => cut === CURRENT)
  for (const row of increment.usages) rows.set(row.reply, { ...row, cut: CURRENT })
  // The agent recorded its sums again. They include what the first part cost.
  const isSum = ({ reply }: UsageRow): boolean => reply < 0
  if (increment.usages.some(({ reply }) => reply < 0)) dropAll((row) => isSum(row) && row.cut !== CURRENT)
  if (isCut === true) turnAll(PENDING, CUT)
  if (isCut === false) dropAll(({ cut }) => cut === PENDING)
  const changes: Cell[][] = []
  for (const [reply, row] of rows) {
    const known = stored.get(reply)
    if (!known || VALUES.some((name) => known[name] !== row[name])) changes.push(usageRow(file, row, row.cut))
  }
  for (const [reply, row] of stored) if (!rows.has(reply)) changes.push(usageRow(file, row, row.cut, 1))
  return changes
}

/** What a row that an interrupted batch left was before. Undefined if there was none. */
function cutBefore({ cut }: StoredUsage, restarts: boolean): number | undefined {
  if (restarts) return cut === CURRENT ? undefined : CURRENT
  return cut === CUT ? PENDING : cut
}

export const usageRow = (
  { id, version }: Pick<Planned['file'], 'id' | 'version'>,
  row: UsageRow,
  cut: number,
  deleted = 0,
): Cell[] => [
  id,
  version,
  deleted,
  row.reply,
  ...VALUES.map((name) => (name === 'cut' ? cut : name === 'at' ? wholeOf(row.at) : row[name])),
]
