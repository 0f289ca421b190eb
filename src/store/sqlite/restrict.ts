import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { append } from '../../model/lists.ts'
import { isPlaced, type Placed, wantsPlace } from '../../search/placed.ts'
import type { FilterLists } from '../../search/query.ts'
import { tokensOf } from '../../search/words.ts'
import type { SearchRequest } from '../store.ts'
import { type Span, spanOf } from './calendar.ts'
import { facet, speakerNumber } from './facets.ts'

/** What filters come to: words of the index that must hold, and conditions on rows where these are not exact. */
export interface Restriction {
  expressions: string[]
  denied: string[]
  conditions: string[]
  values: SQLInputValue[]
  /** What no condition can tell: whether the words of a message, and what a tool was used on, really fit. */
  holds?(text: string): boolean
  /** The numbers that messages of the time in question have, and maybe others. */
  span?: Span
  before?: number
  /** Nothing can match. */
  empty: boolean
  /** Files in which messages are to be shown, where only these are; and files in which none are. */
  shown?: ReadonlySet<number>
  hidden?: ReadonlySet<number>
  /** Files that were excluded by what they are. */
  outside?: ReadonlySet<number>
}

/** More files than these are looked up row by row. */
const MANY_FILES = 300

/** Turns a request without its words into what the index and the rows can be asked for. */
export function restrict(
  database: DatabaseSync,
  {
    query: { filters },
    roots,
    deleted,
    backups,
  }: Pick<SearchRequest, 'query' | 'roots' | 'deleted' | 'backups'>,
): Restriction {
  const found: Restriction = { expressions: [], denied: [], conditions: [], values: [], empty: false }
  const facets = (tokens: readonly string[]): string =>
    `{facet} : (${tokens.map((each) => `"${each}"`).join(' OR ')})`
  const demand = (tokens: readonly string[]): void => {
    if (tokens.length === 0) found.empty = true
    else found.expressions.push(facets(tokens))
  }
  const deny = (tokens: readonly string[]): void => {
    if (tokens.length > 0) found.denied.push(facets(tokens))
  }

  for (const [lists, take] of [
    [filters, demand],
    [filters.without, deny],
  ] as const) {
    if (lists.who.length > 0) take(lists.who.map((who) => facet.who(speakerNumber(who))))
    if (lists.error) take([facet.who(speakerNumber('error'))])
    if (lists.question) take([facet.question])
    if (lists.tool.length > 0) take(toolFacets(database, lists.tool))
  }
  files(filters.file, false)
  files(filters.without.file, true)
  days(filters)
  if (wantsPlace(filters) || isForeign(database, roots))
    within(filesFor(database, filters, roots), filters.session.length > 0)
  if (wantsPlace(filters.without)) without(filesFor(database, filters.without, undefined))
  if (deleted !== true) hide(filesOfState(database, 'deleted'))
  if (backups !== true) hide(filesOfState(database, 'backup'))
  return found

  /** Paths are named by their parts, and the whole is compared afterwards. */
  function files(paths: readonly string[], denied: boolean): void {
    const expressions = paths.flatMap((path) => {
      const tokens = tokensOf(path)
      return tokens.length === 0 ? [] : [`"${tokens.join(' ')}" *`]
    })
    if (paths.length === 0) return
    const tools = facets([facet.who(speakerNumber('tool'))])
    const expression = `({text} : (${expressions.join(' OR ') || '""'}) AND ${tools})`
    if (denied) {
      if (expressions.length > 0) found.denied.push(expression)
      return
    }
    if (expressions.length === 0) {
      found.empty = true
      return
    }
    found.expressions.push(expression)
    found.conditions.push(`(${paths.map(() => 'instr(lower(m.target), ?) > 0').join(' OR ')})`)
    append(
      found.values,
      paths.map((path) => path.toLowerCase()),
    )
  }

  function days({ after, before }: { after?: number; before?: number }): void {
    if (after === undefined && before === undefined) return
    if (after !== undefined) {
      found.conditions.push('m.at >= ?')
      found.values.push(after)
    }
    if (before !== undefined) {
      found.conditions.push('m.at < ?')
      found.values.push(before)
    }
    found.before = before
    found.span = spanOf(database, after ?? Number.NEGATIVE_INFINITY, before ?? Number.POSITIVE_INFINITY)
    if (!found.span) found.empty = true
  }

  function within(ids: readonly number[], copies: boolean): void {
    if (ids.length === 0) {
      found.empty = true
      return
    }
    found.shown = new Set(ids)
    const list = JSON.stringify(ids)
    if (ids.length > MANY_FILES) {
      found.conditions.push('m.artifact IN (SELECT value FROM json_each(?))')
      found.values.push(list)
      return
    }
    if (!copies) {
      demand(ids.map(facet.artifact))
      return
    }
    // What a fork shares with another session is held by that one.
    const owners = database
      .prepare(`SELECT DISTINCT m.artifact AS id FROM occurrence o JOIN message m ON m.id = o.message
        WHERE o.artifact IN (SELECT value FROM json_each(?))`)
      .all(list)
    demand([...new Set([...ids, ...owners.map(({ id }) => Number(id))])].map(facet.artifact))
    found.conditions.push(`(m.artifact IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM occurrence c
      WHERE c.message = m.id AND c.copy = 1 AND c.artifact IN (SELECT value FROM json_each(?))))`)
    found.values.push(list, list)
  }

  function without(ids: readonly number[]): void {
    if (ids.length === 0) return
    found.outside = new Set(ids)
    if (ids.length <= MANY_FILES) deny(ids.map(facet.artifact))
    else {
      found.conditions.push('m.artifact NOT IN (SELECT value FROM json_each(?))')
      found.values.push(JSON.stringify(ids))
    }
  }

  /** What stands in these files alone. */
  function hide(ids: readonly number[]): void {
    if (ids.length === 0) return
    const list = JSON.stringify(ids)
    found.conditions.push(`(m.artifact NOT IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM occurrence c
      WHERE c.message = m.id AND c.copy = 1 AND c.artifact NOT IN (SELECT value FROM json_each(?))))`)
    found.values.push(list, list)
    found.hidden = new Set(ids)
  }
}

/** Whether the store holds files of places that were not asked for. Jumps from root to root. */
function isForeign(database: DatabaseSync, roots: readonly string[] | undefined): boolean {
  if (!roots) return false
  const stored = database
    .prepare(`WITH RECURSIVE each(root) AS (SELECT min(root) FROM artifact UNION ALL
      SELECT (SELECT min(root) FROM artifact WHERE root > each.root) FROM each WHERE each.root IS NOT NULL)
      SELECT root FROM each WHERE root IS NOT NULL`)
    .all()
  return stored.some(({ root }) => !roots.includes(String(root)))
}

/** A tool by its name; where none is called so, every one whose name holds it. */
function toolFacets(database: DatabaseSync, names: readonly string[]): string[] {
  const tools = database.prepare('SELECT id, lower(name) AS name FROM tool').all()
  return names.flatMap((wanted) => {
    const name = wanted.toLowerCase()
    const exact = tools.filter((tool) => tool.name === name)
    const chosen = exact.length > 0 ? exact : tools.filter((tool) => String(tool.name).includes(name))
    return chosen.map(({ id }) => facet.tool(Number(id)))
  })
}

/** Of sessions that the agent deleted but left lying there, or of copies. An index has the answer. */
const filesOfState = (database: DatabaseSync, state: 'deleted' | 'backup'): number[] =>
  database
    .prepare(`SELECT id FROM artifact WHERE facts LIKE '%"state":"${state}"%'`)
    .all()
    .map(({ id }) => Number(id))

/** The files that these filters leave. */
function filesFor(
  database: DatabaseSync,
  lists: FilterLists,
  roots: readonly string[] | undefined,
): number[] {
  const rows = database
    .prepare(`SELECT a.id, a.root, a.platform, a.agent, a.session, s.project, s.project_path AS folder,
        CASE WHEN ? THEN s.row ->> '$.branches' END AS branches
      FROM artifact a LEFT JOIN session s ON s.artifact = a.id`)
    .all(lists.branch.length) as unknown as (Omit<Placed, 'branches'> & {
    id: number
    root: string
    branches: string | null
  })[]
  const placed = ({ branches, ...row }: (typeof rows)[number]): Placed =>
    branches === null ? row : { ...row, branches: JSON.parse(branches) as string[] }
  return rows
    .filter((row) => (!roots || roots.includes(row.root)) && isPlaced(lists, placed(row)))
    .map(({ id }) => id)
}
