import type { DatabaseSync } from 'node:sqlite'
import { type FilterLists, hasSessionFilter } from '../../../search/query.ts'
import { tokensOf } from '../../../search/words.ts'
import type { SearchRequest } from '../../search.ts'
import { speakerNumber } from '../../speakers.ts'
import { facet } from '../facets.ts'
import { spanOf } from '../figures/calendar.ts'
import { type FactsOfAll, filesFor, filesOfState, isForeign } from './matching-files.ts'
import { prepared } from './prepared.ts'
import { demand, deny, facetExpression, type Restriction, unrestricted, where } from './restriction.ts'

/** With more files than this, each row is checked instead. */
const MANY_FILES = 300
const IN_LIST = '(SELECT value FROM json_each(?))'

type Request = Pick<SearchRequest, 'query' | 'roots' | 'annotations' | 'deleted' | 'backups'>

/** Turns the filters of a request into restrictions on the index and on rows. */
export function restrict(database: DatabaseSync, request: Request, facts: FactsOfAll): Restriction {
  const { filters } = request.query
  const { roots, annotations, deleted, backups } = request
  const restriction = unrestricted()
  for (const facets of facetsOf(database, filters)) demand(restriction, facets)
  for (const facets of facetsOf(database, filters.without)) deny(restriction, facets)
  touching(restriction, filters.file)
  notTouching(restriction, filters.without.file)
  during(database, restriction, filters)
  if (hasSessionFilter(filters) || isForeign(database, roots)) {
    const files = filesFor(facts, filters, { roots, annotations })
    within(restriction, files)
    if (files.length > 0 && files.length <= MANY_FILES)
      if (filters.session.length > 0) withCopies(database, restriction, files)
      else demand(restriction, files.map(facet.artifact))
  }
  if (hasSessionFilter(filters.without))
    without(restriction, filesFor(facts, filters.without, { annotations }))
  if (deleted !== true) hide(restriction, filesOfState(database, 'deleted'))
  if (backups !== true) hide(restriction, filesOfState(database, 'backup'))
  return restriction
}

/** The facets of each filter. One of each list must match. */
function facetsOf(database: DatabaseSync, { who, error, question, tool }: FilterLists): string[][] {
  const lists: string[][] = []
  if (who.length > 0) lists.push(who.map((each) => facet.who(speakerNumber(each))))
  if (error) lists.push([facet.who(speakerNumber('error'))])
  if (question) lists.push([facet.question])
  if (tool.length > 0) lists.push(toolFacets(database, tool))
  return lists
}

/** The tool with this name, or all tools whose names contain it. */
function toolFacets(database: DatabaseSync, names: readonly string[]): string[] {
  const tools = prepared(database, 'SELECT id, lower(name) AS name FROM tool').all()
  return names.flatMap((wanted) => {
    const name = wanted.toLowerCase()
    const exact = tools.filter((tool) => tool.name === name)
    const chosen = exact.length > 0 ? exact : tools.filter((tool) => String(tool.name).includes(name))
    return chosen.map(({ id }) => facet.tool(Number(id)))
  })
}

/** The index finds paths by their parts. Undefined if no path has any. */
function pathExpression(paths: readonly string[]): string | undefined {
  const parts = paths.flatMap((path) => {
    const tokens = tokensOf(path)
    return tokens.length === 0 ? [] : [`"${tokens.join(' ')}" *`]
  })
  const tools = facetExpression([facet.who(speakerNumber('tool'))])
  return parts.length === 0 ? undefined : `({text} : (${parts.join(' OR ')}) AND ${tools})`
}

/** Tool calls whose target contains one of the paths. */
function touching(restriction: Restriction, paths: readonly string[]): void {
  if (paths.length === 0) return
  const expression = pathExpression(paths)
  if (expression === undefined) {
    restriction.empty = true
    return
  }
  restriction.expressions.push(expression)
  where(
    restriction,
    `(${paths.map(() => 'instr(lower(m.target), ?) > 0').join(' OR ')})`,
    paths.map((path) => path.toLowerCase()),
  )
}

function notTouching(restriction: Restriction, paths: readonly string[]): void {
  const expression = pathExpression(paths)
  if (expression !== undefined) restriction.denied.push(expression)
}

/** `after` is inclusive, `before` exclusive, both in ms. */
function during(
  database: DatabaseSync,
  restriction: Restriction,
  { after, before }: { after?: number; before?: number },
): void {
  if (after === undefined && before === undefined) return
  if (after !== undefined) where(restriction, 'm.at >= ?', [after])
  if (before !== undefined) where(restriction, 'm.at < ?', [before])
  restriction.before = before
  restriction.span = spanOf(database, after ?? Number.NEGATIVE_INFINITY, before ?? Number.POSITIVE_INFINITY)
  if (!restriction.span) restriction.empty = true
}

/** Only messages of these files. */
function within(restriction: Restriction, files: readonly number[]): void {
  restriction.shown = new Set(files)
  if (files.length === 0) restriction.empty = true
  if (files.length > MANY_FILES) where(restriction, `m.artifact IN ${IN_LIST}`, [JSON.stringify(files)])
}

/** A message that a fork shares with another session is indexed under that session. */
function withCopies(database: DatabaseSync, restriction: Restriction, files: readonly number[]): void {
  const list = JSON.stringify(files)
  const owners = prepared(
    database,
    `SELECT DISTINCT m.artifact AS id FROM occurrence o JOIN message m ON m.id = o.message
      WHERE o.artifact IN ${IN_LIST}`,
  ).all(list)
  const indexed = new Set([...files, ...owners.map(({ id }) => Number(id))])
  demand(restriction, [...indexed].map(facet.artifact))
  where(
    restriction,
    `(m.artifact IN ${IN_LIST} OR EXISTS (SELECT 1 FROM occurrence c
      WHERE c.message = m.id AND c.copy = 1 AND c.artifact IN ${IN_LIST}))`,
    [list, list],
  )
}

/** No messages of these files. */
function without(restriction: Restriction, files: readonly number[]): void {
  if (files.length === 0) return
  restriction.outside = new Set(files)
  if (files.length <= MANY_FILES) deny(restriction, files.map(facet.artifact))
  else where(restriction, `m.artifact NOT IN ${IN_LIST}`, [JSON.stringify(files)])
}

/** Hides messages that only these files contain. */
function hide(restriction: Restriction, files: readonly number[]): void {
  if (files.length === 0) return
  const list = JSON.stringify(files)
  where(
    restriction,
    `(m.artifact NOT IN ${IN_LIST} OR EXISTS (SELECT 1 FROM occurrence c
      WHERE c.message = m.id AND c.copy = 1 AND c.artifact NOT IN ${IN_LIST}))`,
    [list, list],
  )
  restriction.hidden = new Set(files)
}
