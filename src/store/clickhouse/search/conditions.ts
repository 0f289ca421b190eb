import { append } from '../../../model/iteration.ts'
import {
  type FactNeeds,
  hasSessionFilter,
  needsOf,
  type SessionFacts,
  selecting,
} from '../../../model/session-filter.ts'
import { CJK, spellingsOf } from '../../../search/characters.ts'
import type { FilterLists, Node, Query, Term } from '../../../search/query.ts'
import { endsOpen, tokensOf } from '../../../search/words.ts'
import type { SearchRequest } from '../../search.ts'
import type { FileLimits } from '../../search-source.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { type Scope, shownPath } from '../scope.ts'

/**
 * The filters of a request. Conditions on rows are the same for every copy of a message; those on messages
 * depend on all copies: `owner` is the file that has had it longest, `speaker` a human if one of them is.
 */
export interface Restriction extends FileLimits {
  rows: string[]
  messages: string[]
  /** All times are searched at once. */
  isSmall: boolean
  /** When the newest messages within the filters are expected, and when the oldest may be, in ms. */
  newest: number
  oldest?: number
  /** Nothing can match. */
  empty: boolean
}

/** With more items than this, a search begins with the newest months. */
const SMALL = 2_000_000

type Request = Pick<SearchRequest, 'query' | 'roots' | 'annotations' | 'deleted' | 'backups' | 'now'>

export function restrict(scope: Scope, request: Request, facts: FactsOfAll): Restriction {
  const { filters } = request.query
  const { roots, annotations, deleted, backups, now } = request
  const restriction: Restriction = {
    rows: [],
    messages: [],
    empty: false,
    isSmall: scope.overview().items <= SMALL,
    newest: Math.min(now, filters.before ?? now),
    ...(filters.after === undefined ? {} : { oldest: filters.after }),
  }
  const { rows, messages } = restriction
  narrow(scope, restriction, filters)
  exclude(scope, restriction, filters.without)
  if (filters.after !== undefined) rows.push(sql`i.at >= ${filters.after}`)
  if (filters.before !== undefined) rows.push(sql`i.at < ${filters.before}`)
  if (hasSessionFilter(filters) || roots) {
    const all = facts(needsOf(filters))
    const isSelected = selector(filters, all, annotations)
    const files = all.filter((row) => (!roots || roots.includes(row.root)) && isSelected(row))
    if (files.length < all.length) {
      const ids = files.map(({ artifact }) => artifact)
      restriction.shown = new Set(ids)
      if (ids.length === 0) restriction.empty = true
      // A message that a fork shares with another session is found in both.
      messages.push(filters.session.length > 0 ? sql`max(i.artifact IN ${ids}) = 1` : sql`owner IN ${ids}`)
    }
  }
  if (hasSessionFilter(filters.without)) {
    const all = facts(needsOf(filters.without))
    const outside = all.filter(selector(filters.without, all, annotations))
    restriction.outside = new Set(outside.map(({ artifact }) => artifact))
    if (outside.length > 0) messages.push(sql`owner NOT IN ${[...restriction.outside]}`)
  }
  const hidden = [...(deleted === true ? [] : ['deleted']), ...(backups === true ? [] : ['backup'])]
  if (hidden.length > 0) hide(scope, restriction, hidden)
  return restriction
}

function selector(
  lists: FilterLists,
  all: readonly FileFacts[],
  annotations: SearchRequest['annotations'],
): (row: FileFacts) => boolean {
  const isSelected = selecting(lists, all)
  return (row) => isSelected(annotations ? { ...row, annotation: annotations.get(row.session) } : row)
}

const ASKS = `(speaker IN ('human', 'agent') AND max(match(ifNull(i.text, ''), '[?？]')) = 1)`

/** One of the values of each filter must match. */
function narrow(
  scope: Scope,
  { rows, messages }: Pick<Restriction, 'rows' | 'messages'>,
  lists: FilterLists,
): void {
  const { who, error, question, tool, file } = lists
  if (who.length > 0) messages.push(sql`speaker IN ${who}`)
  if (error) messages.push(`speaker = 'error'`)
  if (question) messages.push(ASKS)
  if (tool.length > 0) rows.push(sql`i.tool IN ${toolsOf(scope, tool)}`)
  if (file.length === 0) return
  const paths = file.map(
    (path) =>
      sql`positionCaseInsensitiveUTF8(normalizeUTF8NFC(ifNull(i.target, '')), ${path.normalize()}) > 0`,
  )
  rows.push(pathsCondition(file) ?? '0', `(${paths.join(' OR ')})`)
}

function exclude(
  scope: Scope,
  { rows, messages }: Pick<Restriction, 'rows' | 'messages'>,
  lists: FilterLists,
): void {
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

/**
 * The positions of a file's items that match a query, also inside words. `items` are the conditions for its
 * items. Each item is a group of its own, so that the conditions on messages hold for it alone.
 */
export function readPositions(scope: Scope, items: Raw, { words, filters }: Query): number[] {
  const limits: Pick<Restriction, 'rows' | 'messages'> = { rows: [], messages: [] }
  narrow(scope, limits, filters)
  exclude(scope, limits, filters.without)
  if (filters.after !== undefined) limits.rows.push(sql`i.at >= ${filters.after}`)
  if (filters.before !== undefined) limits.rows.push(sql`i.at < ${filters.before}`)
  const condition = words ? wordsCondition(words, true) : EVERYTHING
  if (condition === undefined) return []
  const rows = raw([condition, ...limits.rows].join(' AND '))
  const messages = raw(['1', ...limits.messages].join(' AND '))
  return scope.connection
    .select<[string, 0 | 1]>(
      sql`SELECT any(i.who) AS speaker, max(${rows}) = 1 AND ${messages} FROM item AS i FINAL ${items}
        GROUP BY i.generation, i.line, i.place ORDER BY i.generation, i.line, i.place`,
    )
    .flatMap(([, isFound], position) => (isFound ? position : []))
}

/** Hides messages that only files in these states contain. */
function hide({ overview }: Scope, restriction: Restriction, states: readonly string[]): void {
  const { hidden } = overview()
  const ids = states.flatMap((state) => hidden.get(state) ?? [])
  if (ids.length === 0) return
  restriction.hidden = new Set(ids)
  restriction.messages.push(sql`max(i.artifact NOT IN ${ids}) = 1`)
}

/** Shorter parts occur in too many words to be useful. */
const SHORTEST_PART = 3
const SHORT = /^[\p{L}\p{N}]{1,2}$/u
/** A token of other letters than Chinese, Japanese and Korean, which have parts of any length. */
const NARROW = /^[a-z\d]/

/** Parts of tokens that ClickHouse 26.7 looks up in the list of tokens: of letters and digits of ASCII. */
const LISTED = /^[a-z\d]{3,}$/
/** Two Chinese, Japanese or Korean characters, which are a whole token wherever they occur. */
const PAIR = new RegExp(`^${CJK}{2}$`, 'v')

/** Matches every message. */
export const EVERYTHING = '1'

/**
 * A query as a condition on `i.words`, the tokens of a message between spaces, so that adjacent tokens are a
 * part of it. Undefined if no message can match. With `loose`, terms that are not quoted also match inside
 * words.
 */
export function wordsCondition(node: Node, loose = false): string | undefined {
  if ('term' in node) return termCondition(node.term, loose)
  if ('not' in node) {
    const denied = wordsCondition(node.not)
    return denied ? `NOT ${denied}` : EVERYTHING
  }
  if ('any' in node) {
    const some = node.any.flatMap((each) => wordsCondition(each, loose) ?? [])
    return some.length === 0 ? undefined : `(${some.join(' OR ')})`
  }
  const all: string[] = []
  for (const child of node.all) {
    const found = wordsCondition(child, loose)
    if (found === undefined) return undefined
    append(all, [found])
  }
  return all.length === 0 ? EVERYTHING : `(${all.join(' AND ')})`
}

/** Any spelling of a term. */
function termCondition(term: Term, loose: boolean): string | undefined {
  const inside = loose && !term.phrase
  const ways = spellingsOf(term).flatMap((text) => spellingCondition(text, term.prefix, inside) ?? [])
  return ways.length === 0 ? undefined : `(${[...new Set(ways)].join(' OR ')})`
}

function spellingCondition(text: string, prefix: boolean, inside: boolean): string | undefined {
  const tokens = tokensOf(text)
  const first = tokens[0]
  if (first === undefined) return undefined
  const open = prefix || endsOpen(tokens)
  const phrase = tokens.join(' ')
  if (inside && !tokens.every((token) => PAIR.test(token))) {
    const isShort = SHORT.test(text) && !open
    const start = isShort || (first.length < SHORTEST_PART && NARROW.test(first)) ? ' ' : ''
    return containsPart(`${start}${phrase}`, tokens)
  }
  const found = contains(` ${phrase}${open ? '' : ' '}`)
  const last = tokens.at(-1)!
  // The index finds whole tokens.
  const whole = open ? tokens.slice(0, -1) : tokens
  const inIndex = [
    ...(whole.length > 0 ? [hasAll(whole)] : []),
    ...(open && isListed(last) ? [hasPart(last)] : []),
  ]
  return `(${[...inIndex, ...(tokens.length > 1 || open ? [found] : [])].join(' AND ')})`
}

/** Whether the engine looks up a part of a token in the list of all tokens instead of reading all texts. */
const isListed = (part: string): boolean => LISTED.test(part)

/** A part of one token. Other tokens than these have to be looked for in the texts. */
const hasPart = (part: string): string => sql`i.words LIKE ${`%${part}%`}`

/** A part of some tokens, the first and last of which may be cut. The index finds whole ones and parts. */
function containsPart(part: string, tokens: readonly string[]): string {
  const inner = tokens.slice(1, -1)
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  const longer = last.length > first.length ? last : first
  const inIndex = [
    ...(inner.length > 0 ? [hasAll(inner)] : []),
    ...(isListed(longer) ? [hasPart(longer)] : []),
  ]
  if (tokens.length === 1 && part === first && inIndex.length > 0) return inIndex[0]!
  return inIndex.length === 0 ? contains(part) : `(${inIndex.join(' AND ')} AND ${contains(part)})`
}

const contains = (part: string): string => sql`position(i.words, ${part}) > 0`

const hasAll = (tokens: readonly string[]): string =>
  `hasAllTokens(i.words, [${[...new Set(tokens)].map((token) => sql`${token}`).join(', ')}])`

/** Of a query that requires all of its words: matches messages that contain them close together, in order. */
export function closeTogether(node: Node): string | undefined {
  if (!('all' in node)) return undefined
  const phrases: string[] = []
  for (const child of node.all) {
    if (!('term' in child)) return undefined
    const tokens = tokensOf(child.term.text)
    if (tokens.length === 0 || child.term.prefix || endsOpen(tokens)) return undefined
    phrases.push(
      tokens.join(' ').replace(/[^\p{L}\p{N} ]/gu, (each) => `\\x{${each.codePointAt(0)!.toString(16)}}`),
    )
  }
  if (phrases.length < 2) return undefined
  const near = phrases.join('( [^ ]+){0,8} ')
  return sql`match(i.words, ${` ${near} `})`
}

/** Messages whose tool calls name one of these paths, by their tokens. Undefined if no path has any. */
function pathsCondition(paths: readonly string[]): string | undefined {
  const parts = paths.flatMap((path) => {
    const tokens = tokensOf(path)
    return tokens.length === 0 ? [] : contains(` ${tokens.join(' ')}`)
  })
  return parts.length === 0 ? undefined : sql`(i.who = 'tool' AND (${raw(parts.join(' OR '))}))`
}

/** A session with its file. */
interface FileFacts extends SessionFacts {
  artifact: number
  root: string
}

/** What filters need to know of all sessions. */
type FactsOfAll = (needs: FactNeeds) => readonly FileFacts[]

type FactValues = [
  artifact: number,
  device: string,
  person: string,
  root: string,
  platform: string,
  agent: string,
  session: string,
  project: string | null,
  folder: string | null,
  branches: string[],
  kind: string,
  model: string,
]

const OF_ROW = `JSONExtract(row, 'branches', 'Array(String)'), JSONExtractString(row, 'kind'),
  JSONExtractString(row, 'model')`

export const createSessionFacts =
  (scope: Scope): FactsOfAll =>
  ({ rows }) =>
    scope.connection
      .select<FactValues>(
        sql`SELECT id, device, person, root, platform, agent, session, project, folder,
          ${raw(rows ? OF_ROW : "[], '', ''")} FROM artifact FINAL WHERE ${scope.current()} ORDER BY id`,
      )
      .map(
        ([
          artifact,
          device,
          person,
          root,
          platform,
          agent,
          session,
          project,
          folder,
          names,
          kind,
          model,
        ]) => ({
          artifact,
          root: shownPath(scope, device, root),
          platform,
          agent,
          session,
          project,
          folder,
          device,
          person,
          ...(names.length === 0 ? {} : { branches: names }),
          ...(kind === '' ? {} : { kind: kind as NonNullable<SessionFacts['kind']> }),
          ...(model === '' ? {} : { model }),
        }),
      )
