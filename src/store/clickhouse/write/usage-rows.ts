import type { UsageRow } from '../../increment.ts'
import type { Cell } from '../connection/connection.ts'
import { sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import type { Planned } from './plan.ts'

/** The row is of the current part of its file, of a part that was cut off, or of one that may be. */
const CURRENT = 0
const CUT = 1
const PENDING = 2

type StoredUsage = UsageRow & { cut: number; version: number }

const VALUES = [
  ...['at', 'model', 'input', 'output', 'cacheRead', 'cacheWrite', 'cost', 'cacheWriteHour', 'cut'],
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
  ...[id, version, deleted, row.reply],
  ...VALUES.map((name) => (name === 'cut' ? cut : name === 'at' ? wholeOf(row.at) : row[name])),
]

const wholeOf = (at: number | null): number | null => (at === null ? null : Math.trunc(at))
