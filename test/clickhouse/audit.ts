import { WRITING_TOOLS } from '../../src/model/fold/tool-arguments.ts'
import type { Who } from '../../src/model/session.ts'
import { lengthOf } from '../../src/model/usage.ts'
import type { Connection } from '../../src/store/clickhouse/connection/connection.ts'
import type { DayFigures, FiguresRequest, MessageFigure, UsageFigure } from '../../src/store/figures.ts'

/** What a store must never contain, as statements that count it. */
const NEVER: Record<string, string> = {
  'positions with two messages': `SELECT count() FROM (SELECT 1 FROM item FINAL
    GROUP BY artifact, generation, line, place HAVING count() > 1)`,
  'items of missing files':
    'SELECT count() FROM item FINAL WHERE artifact NOT IN (SELECT id FROM artifact FINAL)',
  'usage of missing files':
    'SELECT count() FROM usage FINAL WHERE artifact NOT IN (SELECT id FROM artifact FINAL)',
  'items of an unfinished batch': `SELECT count() FROM item AS i FINAL INNER JOIN (SELECT * FROM artifact FINAL) AS a
    ON a.id = i.artifact WHERE i.version > a.version OR i.generation > a.generation`,
  'items that a file contains again in a later generation': `SELECT count() FROM item AS i FINAL
    INNER JOIN (SELECT * FROM artifact FINAL) AS a ON a.id = i.artifact
    WHERE i.generation < a.generation AND (i.artifact, a.generation, i.record, i.digest) IN
      (SELECT artifact, generation, record, digest FROM item FINAL)`,
  'undecided cuts': `SELECT (SELECT count() FROM artifact FINAL WHERE position(cuts, '"line":0}') > 0)
    + (SELECT count() FROM usage FINAL WHERE cut = 2)`,
  'items without their words': `SELECT count() FROM item FINAL WHERE words = '' AND match(ifNull(text, ''), '[a-z]')`,
}

export function faultsIn(connection: Connection): Record<string, number> {
  const faults: Record<string, number> = {}
  for (const [what, statement] of Object.entries(NEVER)) {
    const count = connection.select<[number]>(statement)[0]![0]
    if (count > 0) faults[what] = count
  }
  return faults
}

const USAGE = ['path', 'reply', 'at', 'model', 'input', 'output', 'cache_write', 'cache_write_hour', 'cost']

/** The usage and cost of what is in the files now, by file and reply. */
export const usagesIn = (connection: Connection): unknown[] =>
  connection
    .select<
      unknown[]
    >(`SELECT a.path, u.reply, u.at, u.model, u.input, u.output, u.cacheWrite, u.cacheWriteHour, u.cost
      FROM usage AS u FINAL INNER JOIN (SELECT * FROM artifact FINAL) AS a ON a.id = u.artifact
      WHERE a.gone IS NULL AND u.cut = 0 ORDER BY a.path, u.reply`)
    .map((values) => Object.fromEntries(USAGE.map((name, index) => [name, values[index]])))

export const vocabularyIn = (connection: Connection): Set<string> =>
  new Set(connection.select<[string]>('SELECT DISTINCT word FROM vocabulary').map(([word]) => word))

interface FigureItem {
  artifact: number
  at: number | null
  who: Who
  tool: string | null
  target: string | null
  text: string | null
  sure: boolean
}

/** The sums of `figures`, computed here from all rows. */
export function figuresIn(connection: Connection, { zone, fromMs, untilMs }: FiguresRequest): DayFigures[] {
  const timeless = fromMs === undefined && untilMs === undefined
  const offsetAt = (at: number): number =>
    zone.findLast((span) => span.fromMs <= at)?.offsetMs ?? zone[0]!.offsetMs
  const dayAt = (at: number | null): number | null | undefined => {
    if (at === null || at <= 0) return timeless ? null : undefined
    if (at < Math.ceil(fromMs ?? 0) || at > Math.floor(untilMs ?? Number.MAX_SAFE_INTEGER)) return undefined
    return Math.trunc((at + offsetAt(at)) / 86_400_000)
  }
  const days = new Map<number | null, DayFigures>()
  const figuresOf = (day: number | null): DayFigures => {
    const found = days.get(day) ?? { day, usage: [], messages: [], hours: [], touched: [] }
    days.set(day, found)
    return found
  }
  addUsages(connection, dayAt, figuresOf)
  for (const { artifact, at, who, tool, target, text, sure } of firstItems(connection)) {
    const day = dayAt(at)
    if (day === undefined) continue
    const figures = figuresOf(day)
    if (sure && ['human', 'agent', 'tool', 'error'].includes(who)) {
      const row = own(
        figures.messages,
        { artifact, who: who as MessageFigure['who'], tool },
        { count: 0, words: 0 },
      )
      row.count++
      if (who === 'human') row.words += (text ?? '').split(/\s+/).filter((word) => word !== '').length
    }
    if (who === 'human' && day !== null) {
      const hour = Math.trunc((at! + offsetAt(at!)) / 3_600_000) % 24
      own(figures.hours, { artifact, hour }, { count: 0 }).count++
    }
    if (who === 'tool' && target !== null && WRITING_TOOLS.includes(tool ?? ''))
      own(figures.touched, { artifact, path: target }, { count: 0 }).count++
  }
  return [...days.values()]
}

/** The row with these fields, which is added if there is none. */
function own<Fields extends object, Sums extends object>(
  rows: (Fields & Sums)[],
  fields: Fields,
  sums: Sums,
): Fields & Sums {
  const found = rows.find((row) =>
    Object.entries(fields).every(([name, value]) => (row as Record<string, unknown>)[name] === value),
  )
  if (found) return found
  const row = { ...fields, ...sums }
  rows.push(row)
  return row
}

type ItemValues = [
  record: number,
  digest: number,
  artifact: number,
  at: number | null,
  who: Who,
  tool: string | null,
  target: string | null,
  text: string | null,
  more: string | null,
  generation: number,
  line: number,
]

interface FigureFile {
  settled: number
  cuts: { generation: number; line: number }[]
}

/** All files, those first to which messages belong if several have them. */
function filesInOrder(connection: Connection): Map<number, FigureFile> {
  const files = connection
    .select<[number, string, string, number, string, string, string, number]>(
      `SELECT a.id, a.device, a.session, a.settled, a.cuts, a.facts, a.row, r.at FROM artifact AS a FINAL
        INNER JOIN (SELECT artifact, min(at) AS at FROM arrival GROUP BY artifact) AS r ON r.artifact = a.id`,
    )
    .map(([id, device, session, settled, cuts, facts, row, at]) => {
      const { platform, fork, parentSessionId } = JSON.parse(facts)
      const forked = row !== '' && JSON.parse(row).forked === true
      const rank = fork !== undefined ? 2 : forked ? 1 : 0
      const own = `${device} ${platform} ${session}`
      const parent = `${device} ${platform} ${parentSessionId}`
      return { id, own, parent, settled, cuts: cuts === '' ? [] : JSON.parse(cuts), at, rank }
    })
  const forks = new Set(files.flatMap(({ rank, own }) => (rank > 0 ? own : [])))
  const rankOf = ({ rank, parent }: (typeof files)[number]): number =>
    Math.max(rank, forks.has(parent) ? 1 : 0)
  files.sort((a, b) => rankOf(a) - rankOf(b) || a.at - b.at || a.id - b.id)
  return new Map(files.map((file) => [file.id, file]))
}

const placesOf = (files: ReadonlyMap<number, FigureFile>): Map<number, number> =>
  new Map([...files.keys()].map((id, index) => [id, index]))

/** Every message once, of the file that it belongs to, without those that were removed from all files. */
function firstItems(connection: Connection): FigureItem[] {
  const files = filesInOrder(connection)
  const places = placesOf(files)
  const there = new Set<string>()
  const found = new Map<string, FigureItem>()
  const rows = connection
    .select<ItemValues>(
      `SELECT record, digest, artifact, at, who, tool, target, text, more, generation, line FROM item FINAL
        ORDER BY artifact, generation, line, place`,
    )
    .filter(([, , artifact]) => files.has(artifact))
    .sort((a, b) => places.get(a[2])! - places.get(b[2])!)
  for (const [record, digest, artifact, at, who, tool, target, text, more, generation, line] of rows) {
    const key = `${record}.${digest}`
    const { cuts, settled } = files.get(artifact)!
    const isCut = cuts.some((cut) => cut.generation === generation && line < cut.line)
    if (isCut || generation >= Math.abs(settled)) there.add(key)
    const first = found.get(key)
    if (!first)
      found.set(key, {
        artifact,
        at,
        who,
        tool,
        target,
        text,
        sure: more === null || !more.includes('"sure":false'),
      })
    else if (who === 'human') first.who = who
  }
  return [...found].flatMap(([key, item]) => (there.has(key) ? item : []))
}

type UsageValues = [
  artifact: number,
  reply: number,
  at: number | null,
  model: string | null,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  cost: number | null,
  hour: number,
  reasoning: number,
]

const USAGES = `SELECT artifact, reply, at, model, input, output, cacheRead, cacheWrite, cost, cacheWriteHour, reasoning
  FROM usage FINAL WHERE artifact IN (SELECT id FROM artifact FINAL)`

function addUsages(
  connection: Connection,
  dayAt: (at: number | null) => number | null | undefined,
  figuresOf: (day: number | null) => DayFigures,
): void {
  const replies = new Set<number>()
  const places = placesOf(filesInOrder(connection))
  const rows = connection.select<UsageValues>(USAGES)
  rows.sort((a, b) => b[5] - a[5] || places.get(a[0])! - places.get(b[0])!)
  for (const [
    artifact,
    reply,
    at,
    model,
    input,
    output,
    cacheRead,
    cacheWrite,
    cost,
    hour,
    reasoning,
  ] of rows) {
    if (replies.has(reply)) continue
    replies.add(reply)
    const day = dayAt(at)
    if (day === undefined) continue
    const length = reply > 0 ? lengthOf(input + cacheRead + cacheWrite) : 0
    const row: UsageFigure = own(
      figuresOf(day).usage,
      { artifact, model, length },
      {
        replies: 0,
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        cacheWriteHour: 0,
        reasoning: 0,
        recorded: 0,
        recordedReplies: 0,
        statedInput: 0,
        statedOutput: 0,
        statedCacheRead: 0,
        statedCacheWrite: 0,
      },
    )
    row.recorded += cost ?? 0
    if (cost !== null) row.recordedReplies++
    if (reply > 0) {
      row.replies++
      row.input += input
      row.output += output
      row.cacheRead += cacheRead
      row.cacheWrite += cacheWrite
      row.cacheWriteHour += Math.min(hour, cacheWrite)
      row.reasoning += Math.min(reasoning, output)
    } else {
      row.statedInput += input
      row.statedOutput += output
      row.statedCacheRead += cacheRead
      row.statedCacheWrite += cacheWrite
    }
  }
}
