import { type FilterLists, hasSessionFilter, selectsSession } from '../../../search/query.ts'
import type { FileLimits } from '../../lenient/titles.ts'
import type { SearchRequest } from '../../search.ts'
import { raw, sql } from '../connection/literal.ts'
import { type Scope, shown } from '../scope.ts'
import { type Replaced, replacedFiles } from './newest-items.ts'
import type { FactsOfAll, FileFacts } from './session-facts.ts'
import { pathsCondition } from './words-condition.ts'

/**
 * The filters of a request. Conditions on rows are the same for every copy of a message; those on messages
 * depend on all copies: `owner` is the file that has had it longest, `speaker` a human if one of them is.
 */
export interface Restriction extends FileLimits {
  rows: string[]
  messages: string[]
  /** When the newest messages within the filters are expected, and when the oldest may be, in ms. */
  newest: number
  oldest?: number
  /** Files with several rows of one key. Searches add what they find. */
  replaced: Replaced
  /** Nothing can match. */
  empty: boolean
}

type Request = Pick<SearchRequest, 'query' | 'roots' | 'annotations' | 'deleted' | 'backups' | 'now'>

export function restrict(scope: Scope, request: Request, facts: FactsOfAll): Restriction {
  const { filters } = request.query
  const { roots, annotations, deleted, backups, now } = request
  const restriction: Restriction = {
    ...{ rows: [], messages: [], empty: false, replaced: replacedFiles(scope) },
    newest: Math.min(now, filters.before ?? now),
    ...(filters.after === undefined ? {} : { oldest: filters.after }),
  }
  const { rows, messages } = restriction
  narrow(scope, restriction, filters)
  exclude(scope, restriction, filters.without)
  if (filters.after !== undefined) rows.push(sql`i.at >= ${filters.after}`)
  if (filters.before !== undefined) rows.push(sql`i.at < ${filters.before}`)
  if (hasSessionFilter(filters) || roots) {
    const all = facts({ branches: filters.branch.length > 0 })
    const files = all.filter(
      (row) => (!roots || roots.includes(row.root)) && selects(filters, row, annotations),
    )
    if (files.length < all.length) {
      const ids = files.map(({ artifact }) => artifact)
      restriction.shown = new Set(ids)
      if (ids.length === 0) restriction.empty = true
      // A message that a fork shares with another session is found in both.
      messages.push(filters.session.length > 0 ? sql`max(i.artifact IN ${ids}) = 1` : sql`owner IN ${ids}`)
    }
  }
  if (hasSessionFilter(filters.without)) {
    const outside = facts({ branches: filters.without.branch.length > 0 }).filter((row) =>
      selects(filters.without, row, annotations),
    )
    restriction.outside = new Set(outside.map(({ artifact }) => artifact))
    if (outside.length > 0) messages.push(sql`owner NOT IN ${[...restriction.outside]}`)
  }
  const hidden = [...(deleted === true ? [] : ['deleted']), ...(backups === true ? [] : ['backup'])]
  if (hidden.length > 0) hide(scope, restriction, hidden)
  return restriction
}

const selects = (lists: FilterLists, row: FileFacts, annotations: SearchRequest['annotations']): boolean =>
  selectsSession(lists, annotations ? { ...row, annotation: annotations.get(row.session) } : row)

const ASKS = `(speaker IN ('human', 'agent') AND max(match(ifNull(i.text, ''), '[?？]')) = 1)`

/** One of the values of each filter must match. */
function narrow(scope: Scope, { rows, messages }: Restriction, lists: FilterLists): void {
  const { who, error, question, tool, file } = lists
  if (who.length > 0) messages.push(sql`speaker IN ${who}`)
  if (error) messages.push(`speaker = 'error'`)
  if (question) messages.push(ASKS)
  if (tool.length > 0) rows.push(sql`i.tool IN ${toolsOf(scope, tool)}`)
  if (file.length === 0) return
  const paths = file.map((path) => sql`positionCaseInsensitiveUTF8(ifNull(i.target, ''), ${path}) > 0`)
  rows.push(pathsCondition(file) ?? '0', `(${paths.join(' OR ')})`)
}

function exclude(scope: Scope, { rows, messages }: Restriction, lists: FilterLists): void {
  const { who, error, question, tool, file } = lists
  if (who.length > 0) messages.push(sql`speaker NOT IN ${who}`)
  if (error) messages.push(`speaker <> 'error'`)
  if (question) messages.push(`NOT ${ASKS}`)
  if (tool.length > 0) rows.push(sql`(i.tool IS NULL OR i.tool NOT IN ${toolsOf(scope, tool)})`)
  const paths = pathsCondition(file)
  if (paths !== undefined) rows.push(`NOT ${paths}`)
}

/** The tool with this name, or all tools whose names contain it. */
function toolsOf({ connection }: Scope, names: readonly string[]): string[] {
  const tools = connection
    .select<[string]>('SELECT DISTINCT tool FROM item WHERE tool IS NOT NULL')
    .map(([name]) => ({ name, folded: name.toLowerCase() }))
  return names.flatMap((wanted) => {
    const name = wanted.toLowerCase()
    const exact = tools.filter(({ folded }) => folded === name)
    const chosen = exact.length > 0 ? exact : tools.filter(({ folded }) => folded.includes(name))
    return chosen.map((tool) => tool.name)
  })
}

/** Hides messages that only files in these states contain. */
function hide({ connection, ...scope }: Scope, restriction: Restriction, states: readonly string[]): void {
  const ids = connection
    .select<[number]>(
      sql`SELECT id FROM artifact FINAL WHERE state IN ${states} AND ${shown({ connection, ...scope })}`,
    )
    .map(([id]) => id)
  if (ids.length === 0) return
  restriction.hidden = new Set(ids)
  restriction.messages.push(sql`max(i.artifact NOT IN ${raw(`(${ids.join(', ')})`)}) = 1`)
}
