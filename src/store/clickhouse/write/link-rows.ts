import { type HeardPrompt, type Increment, LATEST_MS, MOST_ALIKE, SLACK_MS } from '../../increment.ts'
import type { Cell } from '../connection/connection.ts'
import { raw, sql } from '../connection/literal.ts'
import type { Scope } from '../scope.ts'
import type { FileRow } from './files.ts'

/** What a file says about other sessions, as `Increment` has it. */
type FileLinks = Pick<Increment, 'fresh' | 'fromLine' | 'sent' | 'statements' | 'heard' | 'opening'>

/** What a deleted file says. */
export const NO_LINKS: FileLinks = { fresh: true, fromLine: 1, sent: [], statements: [], heard: [] }

type File = Pick<FileRow, 'id' | 'version'>

/** The tables of links, and the columns of each that `stored` rows have. */
const LINKS = {
  sent: ['line', 'digest', 'at'],
  statement: ['line', 'model', 'sum', 'used'],
  heard: ['line', 'place', 'digest', 'at'],
  template: ['template', 'whole', 'at'],
}

/** Rows from which line on are replaced. */
const firstLine = ({ fresh, fromLine }: FileLinks): number => (fresh ? 0 : fromLine)

/** The first line whose rows may have changed, of tables whose rows have lines. */
const LINES: Partial<Record<string, (links: FileLinks) => number>> = {
  sent: firstLine,
  statement: firstLine,
  heard: () => 0,
}

type Stored = Partial<Record<keyof typeof LINKS, Cell[][]>>

/** What is stored of the links of some files, and may have changed, read at once. */
function loadLinks(
  { connection }: Scope,
  files: readonly { file: File; links: FileLinks }[],
): Map<number, Stored> {
  const found = new Map<number, Stored>()
  const ids = files.map(({ file }) => file.id)
  const parts = Object.entries(LINKS).map(([table, columns]) => {
    const from = LINES[table]
    const ofFile =
      from && files.map((each) => sql`(artifact = ${each.file.id} AND line >= ${from(each.links)})`)
    return sql`SELECT ${table}, artifact, toJSONString(tuple(${raw(columns.join(', '))}))
      FROM ${raw(table)} FINAL WHERE artifact IN ${ids} AND (${raw(ofFile?.join(' OR ') ?? '1')})`
  })
  for (const [table, artifact, values] of connection.select<[keyof typeof LINKS, number, string]>(
    parts.join(' UNION ALL '),
  )) {
    let ofFile = found.get(artifact)
    if (!ofFile) {
      ofFile = {}
      found.set(artifact, ofFile)
    }
    ofFile[table] ??= []
    ofFile[table].push(JSON.parse(values) as Cell[])
  }
  return found
}

/**
 * Writes what files say about other sessions, where that has changed, and lists the files whose links depend
 * on it. See `createLinkWriter` of SQLite.
 */
export function writeLinks(scope: Scope, files: readonly { file: File; links: FileLinks }[]): void {
  const { connection } = scope
  const changed: LinkChanges = {
    sent: [],
    heard: [],
    templates: new Set(),
    sums: new Set(),
    files: new Set(),
  }
  const stored = loadLinks(scope, files)
  const rows: Record<keyof typeof LINKS, Cell[][]> = { sent: [], statement: [], heard: [], template: [] }
  for (const { file, links } of files) {
    const add = (table: keyof typeof rows, row: Cell[], deleted: 0 | 1): void => {
      rows[table].push([file.id, file.version, deleted, ...row])
    }
    const { sent = [], statement = [], heard = [], template = [] } = stored.get(file.id) ?? {}
    sentFrom(links, sent, changed, (row, deleted) => add('sent', row, deleted))
    stated(links, statement, changed, (row, deleted) => add('statement', row, deleted))
    if (!links.heard) continue
    heardIn(file.id, links.heard, heard, changed, (row, deleted) => add('heard', row, deleted))
    opensWith(file.id, links, template, changed, (row, deleted) => add('template', row, deleted))
  }
  const key = ['artifact', 'version', 'deleted']
  connection.insert('sent', [...key, 'line', 'digest', 'at', 'target'], rows.sent)
  connection.insert('statement', [...key, 'line', 'model', 'sum', 'used'], rows.statement)
  connection.insert('heard', [...key, 'line', 'place', 'digest', 'at'], rows.heard)
  connection.insert('template', [...key, 'template', 'whole', 'at'], rows.template)
  unlinkAffected(scope, changed)
}

type Add = (row: Cell[], deleted: 0 | 1) => void

function sentFrom(links: FileLinks, stored: readonly Cell[][], changed: LinkChanges, add: Add): void {
  const before = new Map(stored.map((row) => [`${row[0]} ${row[1]}`, row] as const))
  for (const { line, digest, at, to } of links.sent) {
    if (at === undefined || before.delete(`${line} ${digest}`)) continue
    add([line, digest, at, to ?? null], 0)
    changed.sent.push({ digest, at })
  }
  for (const [line, digest, at] of before.values()) {
    add([line!, digest!, at!, null], 1)
    changed.sent.push({ digest: Number(digest), at: Number(at) })
  }
}

function stated(links: FileLinks, stored: readonly Cell[][], changed: LinkChanges, add: Add): void {
  const before = new Map(stored.map((row) => [`${row[0]} ${row[1]}`, row] as const))
  for (const { line, sum, model = '', used } of links.statements) {
    const text = JSON.stringify(used)
    const known = before.get(`${line} ${model}`)
    before.delete(`${line} ${model}`)
    if (known?.[3] === text && known[2] === sum) continue
    if (known && known[2] !== sum) remove(known)
    add([line, model, sum, text], 0)
    changed.sums.add(sum)
  }
  for (const row of before.values()) remove(row)

  function remove([line, model, sum]: readonly Cell[]): void {
    add([line!, model!, sum!, ''], 1)
    changed.sums.add(Number(sum))
  }
}

function heardIn(
  id: number,
  prompts: readonly HeardPrompt[],
  stored: readonly Cell[][],
  changed: LinkChanges,
  add: Add,
): void {
  const before = new Map<string, readonly Cell[]>(
    stored.map((row) => [`${row[0]} ${row[1]} ${row[2]}`, row] as const),
  )
  for (const { line, order, digest, at } of prompts) {
    const key = `${line} ${order} ${digest}`
    const known = before.get(key)
    before.delete(key)
    if (known?.[3] === Math.trunc(at)) continue
    add([line, order, digest, Math.trunc(at)], 0)
    changed.heard.push({ artifact: id, digest, at })
  }
  for (const [line, order, digest, at] of before.values()) add([line!, order!, digest!, at!], 1)
}

function opensWith(
  id: number,
  { opening }: FileLinks,
  stored: readonly Cell[][],
  changed: LinkChanges,
  add: Add,
): void {
  const wanted = opening?.templates ?? []
  const same =
    stored.length === wanted.length &&
    stored.every(([template, whole]) => whole === opening?.whole && wanted.includes(Number(template)))
  if (same) return
  changed.files.add(id)
  for (const [template, whole, at] of stored) {
    if (!wanted.includes(Number(template))) add([template!, whole!, at!], 1)
    changed.templates.add(Number(template))
  }
  for (const template of wanted) {
    add([template, opening!.whole, Math.trunc(opening!.at)], 0)
    changed.templates.add(template)
  }
}

/** What has changed of what files say about each other. */
interface LinkChanges {
  /** Messages to other agents that were added or removed. */
  sent: { digest: number; at: number }[]
  /** Prompts that were added. */
  heard: { artifact: number; digest: number; at: number }[]
  templates: Set<number>
  /** Sums that files recorded. */
  sums: Set<number>
  /** Files whose opening has changed. */
  files: Set<number>
}

/** Lists the files whose links depend on what has changed. */
function unlinkAffected(scope: Scope, { sent, heard, templates, sums, files }: LinkChanges): void {
  const { connection } = scope
  const found = new Set(files)
  if (sent.length > 0)
    for (const [artifact, digest, at] of connection.select<[number, number, number]>(
      sql`SELECT artifact, digest, at FROM heard FINAL WHERE digest IN ${numbers(sent)}`,
    ))
      if (sent.some((each) => each.digest === digest && arrives(each.at, at))) found.add(artifact)
  if (heard.length > 0) {
    const calls = Map.groupBy(
      connection.select<[number, number, number]>(
        sql`SELECT artifact, digest, at FROM sent FINAL WHERE digest IN ${numbers(heard)}`,
      ),
      ([, digest]) => digest,
    )
    for (const { artifact, digest, at } of heard)
      if (calls.get(digest)?.some(([from, , sentAt]) => from !== artifact && arrives(sentAt, at)))
        found.add(artifact)
  }
  if (templates.size > 0)
    for (const [artifact] of connection.select<[number]>(
      sql`SELECT artifact FROM template FINAL WHERE template IN ${[...templates]} LIMIT ${MOST_ALIKE} BY template`,
    ))
      found.add(artifact)
  if (sums.size > 0)
    for (const [artifact] of connection.select<[number]>(sql`SELECT DISTINCT artifact FROM statement FINAL
      WHERE sum IN (SELECT sum FROM statement FINAL WHERE sum IN ${[...sums]}
        GROUP BY sum HAVING uniqExact(artifact) > 1)`))
      found.add(artifact)
  if (found.size === 0) return
  const version = scope.stamp()
  connection.insert(
    'unlinked',
    ['artifact', 'version', 'deleted'],
    Array.from(found, (artifact) => [artifact, version, 0]),
  )
}

const numbers = (rows: readonly { digest: number }[]): number[] => [
  ...new Set(rows.map(({ digest }) => digest)),
]

/** Whether a prompt of this time can be a message that was sent at that time. */
const arrives = (sentAt: number, heardAt: number): boolean =>
  heardAt >= sentAt - SLACK_MS && heardAt <= sentAt + LATEST_MS
