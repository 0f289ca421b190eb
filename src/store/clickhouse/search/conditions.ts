import type { SessionEntry } from '../../../model/artifact.ts'
import { append } from '../../../model/iteration.ts'
import {
  type FactNeeds,
  hasSessionFilter,
  needsOf,
  type SessionFacts,
  selecting,
  selectingAny,
} from '../../../model/session-filter.ts'
import { CJK, QUESTION, spellingsOf } from '../../../search/characters.ts'
import {
  asksForErrors,
  type FilterLists,
  type Filters,
  type Node,
  type Query,
  type Term,
} from '../../../search/query.ts'
import { ANY_FILE, fileCalls, toolsNamed } from '../../../search/tool-filter.ts'
import { endsOpen, tokensOf } from '../../../search/words.ts'
import type { SearchRequest } from '../../search.ts'
import type { FileLimits } from '../../search-source.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { TOKENS } from '../schema.ts'
import { type Scope, shownPath, shownProject, toolsOf } from '../scope.ts'
import { type TokensWith, UNKNOWN, type Where } from './tokens.ts'

/**
 * The filters of a request. Conditions on rows are the same for every copy of a message; those on messages
 * depend on all copies: `owner` is the file that has had it longest, `speaker` a human if one of them is.
 */
export interface Restriction extends FileLimits {
  rows: string[]
  messages: string[]
  /** A condition that rows of all messages within the filters fulfil, which helps if nothing else is rare. */
  within?: string
  /** When the newest messages within the filters are expected, and when the oldest may be, in ms. */
  newest: number
  oldest?: number
  /** Nothing can match. */
  empty: boolean
}

type Request = Pick<SearchRequest, 'query' | 'roots' | 'annotations' | 'deleted' | 'backups' | 'now'>

export function restrict(scope: Scope, request: Request, facts: FactsOfAll): Restriction {
  const { filters } = request.query
  const { roots, annotations, deleted, backups, now } = request
  const restriction: Restriction = {
    rows: [],
    messages: [],
    empty: false,
    newest: Math.min(now, filters.before ?? now),
    ...(filters.after === undefined ? {} : { oldest: filters.after }),
  }
  const { rows, messages } = restriction
  narrow(scope, restriction, filters)
  exclude(scope, restriction, filters)
  if (filters.after !== undefined) rows.push(sql`i.at >= ${filters.after}`)
  if (filters.before !== undefined) rows.push(sql`i.at < ${filters.before}`)
  if (hasSessionFilter(filters) || roots) {
    const known = facts(needsOf(filters))
    const isSelected = selector(selecting(filters, known), annotations)
    const files = known.filter((row) => (!roots || roots.includes(row.root)) && isSelected(row))
    if (files.length < known.length) {
      const ids = files.map(({ artifact }) => artifact)
      restriction.shown = new Set(ids)
      if (ids.length === 0) restriction.empty = true
      restriction.within = sql`(i.record, i.digest) IN (SELECT record, digest FROM item WHERE artifact IN ${ids})`
      // A message that a fork shares with another session is found in both.
      messages.push(filters.session.length > 0 ? sql`max(i.artifact IN ${ids}) = 1` : sql`owner IN ${ids}`)
    }
  }
  if (hasSessionFilter(filters.without)) {
    const known = facts(needsOf(filters.without))
    const outside = known.filter(selector(selectingAny(filters.without, known), annotations))
    restriction.outside = new Set(outside.map(({ artifact }) => artifact))
    if (outside.length > 0) messages.push(sql`owner NOT IN ${[...restriction.outside]}`)
  }
  const hidden = [...(deleted === true ? [] : ['deleted']), ...(backups === true ? [] : ['backup'])]
  if (hidden.length > 0) hide(scope, restriction, hidden)
  return restriction
}

function selector(
  isSelected: (facts: SessionFacts) => boolean,
  annotations: SearchRequest['annotations'],
): (row: FileFacts) => boolean {
  return (row) => isSelected(annotations ? { ...row, annotation: annotations.get(row.session) } : row)
}

const ASKS = sql`(speaker IN ('human', 'agent') AND max(match(ifNull(i.text, ''), ${QUESTION})) = 1)`

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
  if (tool.length > 0) rows.push(sql`i.tool IN ${toolsOf(scope, (all) => toolsNamed(tool, all))}`)
  const withErrors = asksForErrors(lists)
  if (file.length > 0) append(rows, targetConditions(file, withErrors))
  for (const { isTool, files } of fileCalls(lists))
    append(rows, [
      sql`i.tool IN ${toolsOf(scope, (all) => all.filter(isTool))}`,
      ...targetConditions(files, withErrors),
    ])
}

/** The target contains one of the paths. */
function targetConditions(paths: readonly string[], withErrors: boolean): string[] {
  const contained = paths.map(
    (path) =>
      sql`positionCaseInsensitiveUTF8(normalizeUTF8NFC(ifNull(i.target, '')), ${path.normalize()}) > 0`,
  )
  return [callsOn(paths, withErrors) ?? '0', `(${contained.join(' OR ')})`]
}

function exclude(
  scope: Scope,
  { rows, messages }: Pick<Restriction, 'rows' | 'messages'>,
  { without, ...wanted }: Filters,
): void {
  const { who, error, question, tool, file } = without
  if (who.length > 0) messages.push(sql`speaker NOT IN ${who}`)
  if (error) messages.push(`speaker <> 'error'`)
  if (question) messages.push(`NOT ${ASKS}`)
  if (tool.length > 0)
    rows.push(sql`(i.tool IS NULL OR i.tool NOT IN ${toolsOf(scope, (all) => toolsNamed(tool, all))})`)
  const withErrors = asksForErrors(wanted)
  const calls = callsOn(file, withErrors)
  if (calls !== undefined) rows.push(`NOT ${calls}`)
  for (const { isTool, files } of fileCalls(without)) {
    const some = callsOn(files, withErrors)
    const tools = toolsOf(scope, (all) => all.filter(isTool))
    if (some !== undefined) rows.push(sql`NOT (ifNull(i.tool, '') IN ${tools} AND ${raw(some)})`)
  }
}

/**
 * The positions of a file's items that match a query, also inside words. `items` are the conditions for its
 * items. Each item is a group of its own, so that the conditions on messages hold for it alone.
 */
export function readPositions(scope: Scope, items: Raw, { words, filters }: Query): number[] {
  const limits: Pick<Restriction, 'rows' | 'messages'> = { rows: [], messages: [] }
  narrow(scope, limits, filters)
  exclude(scope, limits, filters)
  if (filters.after !== undefined) limits.rows.push(sql`i.at >= ${filters.after}`)
  if (filters.before !== undefined) limits.rows.push(sql`i.at < ${filters.before}`)
  const condition = words ? wordsCondition(words, true) : EVERYTHING
  if (condition === undefined) return []
  const rows = raw([condition.sql, ...limits.rows].join(' AND '))
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
/**
 * Parts of tokens that ClickHouse 26.7 looks up in the list of tokens by itself: of letters and digits of
 * ASCII.
 */
const LISTED = /^[a-z\d]{3,}$/
/** Two Chinese, Japanese or Korean characters, which are a whole token wherever they occur. */
const PAIR = new RegExp(`^${CJK}{2}$`, 'v')

const ITEM_TOKENS = TOKENS('i.')
const listOf = (tokens: readonly string[]): string => `[${tokens.map((token) => sql`${token}`).join(', ')}]`

/** A condition on the tokens of items `i`. */
export interface Condition {
  sql: string
  /** It holds for at most so many rows. */
  rows: number
  /** It is that an item has all of these tokens. */
  tokens?: readonly string[]
}

/** Matches every message. */
export const EVERYTHING: Condition = { sql: '1', rows: Number.POSITIVE_INFINITY }

/**
 * All of some conditions. Undefined if one of them never holds. Tokens are looked up together, so that only
 * blocks of rows are read in which one row has all of them.
 */
function all(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const some = conditions.flatMap((each) => (each === EVERYTHING ? [] : (each ?? [])))
  const rows = some.reduce((least, { rows }) => Math.min(least, rows), Number.POSITIVE_INFINITY)
  if (conditions.includes(undefined) || rows === 0) return undefined
  if (some.length === 0) return EVERYTHING
  const tokens = [...new Set(some.flatMap((each) => each.tokens ?? []))]
  const others = some.flatMap((each) => (each.tokens ? [] : each.sql))
  if (tokens.length === 0) return { sql: joined(others, ' AND '), rows }
  const whole = `hasAllTokens(${ITEM_TOKENS}, ${listOf(tokens)})`
  return others.length === 0
    ? { sql: whole, rows, tokens }
    : { sql: joined([whole, ...others], ' AND '), rows }
}

/** One of some conditions. Undefined if none of them ever holds. */
function any(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const some = conditions.flatMap((each) => each ?? [])
  const rows = some.reduce((sum, each) => sum + each.rows, 0)
  return rows === 0
    ? undefined
    : {
        sql: joined(
          some.map((each) => each.sql),
          ' OR ',
        ),
        rows,
      }
}

function joined(conditions: readonly string[], by: string): string {
  const different = [...new Set(conditions)]
  return different.length === 1 ? different[0]! : `(${different.join(by)})`
}

/**
 * A query as a condition. Undefined if no message can match. With `loose`, terms that are not quoted also
 * match inside words.
 */
export function wordsCondition(node: Node, loose = false, tokens = UNKNOWN): Condition | undefined {
  if ('term' in node) return termCondition(node.term, loose, tokens)
  if ('not' in node) {
    const denied = wordsCondition(node.not, loose, tokens)
    return denied ? { sql: `NOT ${denied.sql}`, rows: Number.POSITIVE_INFINITY } : EVERYTHING
  }
  const ofAll = 'all' in node
  const children = (ofAll ? node.all : node.any).map((child) => wordsCondition(child, loose, tokens))
  return ofAll ? all(children) : any(children)
}

/** Any spelling of a term. */
const termCondition = (term: Term, loose: boolean, tokens: TokensWith): Condition | undefined =>
  any(spellingsOf(term).map((text) => spellingCondition(text, term.prefix, loose && !term.phrase, tokens)))

/**
 * The index finds whole tokens, and the list of tokens what they begin with, end in or contain. Texts are
 * read only to see whether several tokens are adjacent.
 */
function spellingCondition(
  text: string,
  prefix: boolean,
  inside: boolean,
  list: TokensWith,
): Condition | undefined {
  const tokens = tokensOf(text)
  const [first, last] = [tokens[0], tokens.at(-1)!]
  if (first === undefined) return undefined
  const open = prefix || endsOpen(tokens)
  const isInside = inside && !tokens.every((token) => PAIR.test(token))
  const isShort = (SHORT.test(text) && !open) || (first.length < SHORTEST_PART && NARROW.test(first))
  const [openStart, openEnd] = [isInside && !isShort, isInside || open]
  if (tokens.length === 1) return hasToken(first, openStart ? 'inside' : openEnd ? 'start' : 'whole', list)
  return all([
    ...tokens.slice(1, -1).map((token) => hasToken(token, 'whole', list)),
    hasToken(first, openStart ? 'end' : 'whole', list),
    hasToken(last, openEnd ? 'start' : 'whole', list),
    contains(`${openStart ? '' : ' '}${tokens.join(' ')}${openEnd ? '' : ' '}`),
  ])
}

/** The tokens of an item in order, each between spaces, so that adjacent tokens are a part of it. */
const STREAM = raw(`concat(' ', arrayStringConcat(tokens(${ITEM_TOKENS}, 'splitByNonAlpha'), ' '), ' ')`)

const contains = (part: string): Condition => ({
  sql: sql`position(${STREAM}, ${part}) > 0`,
  rows: Number.POSITIVE_INFINITY,
})

/** A token that has a part. Undefined if the space has none. */
function hasToken(part: string, where: Where, list: TokensWith): Condition | undefined {
  const known = list(part, where)
  const tokens = known ? [...known.keys()] : [part]
  const rows = known ? known.values().reduce((sum, each) => sum + each, 0) : Number.POSITIVE_INFINITY
  if (tokens.length === 0) return undefined
  if (tokens.length === 1 && (known || where === 'whole')) return all([{ sql: '', rows, tokens }])
  if (known) return { sql: `hasAnyTokens(${ITEM_TOKENS}, ${listOf(tokens)})`, rows }
  const inside = contains(`${where === 'start' ? ' ' : ''}${part}${where === 'end' ? ' ' : ''}`)
  if (!LISTED.test(part)) return inside
  const listed = { sql: sql`${raw(ITEM_TOKENS)} LIKE ${`%${part}%`}`, rows }
  return where === 'inside' ? listed : all([listed, inside])
}

/** Whether a query is one word, in one spelling of one token. */
export const isOneWord = ({ all: [first, ...others] }: { all: Node[] }): boolean =>
  first !== undefined &&
  others.length === 0 &&
  'term' in first &&
  spellingsOf(first.term).every((text) => tokensOf(text).length === 1)

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
  return sql`match(${STREAM}, ${` ${near} `})`
}

/**
 * Calls that name one of these paths, by their tokens, and the errors of such calls if those are asked for.
 * Undefined if no path has any token.
 */
function callsOn(paths: readonly string[], withErrors: boolean): string | undefined {
  const parts = paths.flatMap((path) => {
    if (path === ANY_FILE) return ['1']
    const tokens = tokensOf(path)
    if (tokens.length === 0) return []
    return all([
      ...tokens.slice(0, -1).map((token) => hasToken(token, 'whole', UNKNOWN)),
      contains(` ${tokens.join(' ')}`),
    ])!.sql
  })
  if (parts.length === 0) return undefined
  const calls = `(i.who = 'tool' AND (${parts.join(' OR ')}))`
  if (!withErrors) return calls
  const errors = paths.map((path) => sql`match(ifNull(i.target, ''), ${beginning(path)})`)
  return `(${calls} OR (i.who = 'error' AND (${errors.join(' OR ')})))`
}

/** A pattern of RE2 for a path that begins where a word does. */
function beginning(path: string): string {
  const text = path.normalize().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return `(?i)${/^[\p{L}\p{N}]/u.test(path) ? '(?:^|[^\\p{L}\\p{N}])' : ''}${text}`
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
  surface: string,
  prompted: number,
  scripted: number,
]

const OF_ROW = `JSONExtract(row, 'branches', 'Array(String)'), JSONExtractString(row, 'kind'),
  JSONExtractString(row, 'model'), JSONExtractString(row, 'entry', 'surface'), JSONHas(row, 'promptedBy'),
  JSONHas(row, 'script')`

export const createSessionFacts =
  (scope: Scope): FactsOfAll =>
  ({ rows }) =>
    scope.connection
      .select<FactValues>(
        sql`SELECT id, device, person, root, platform, agent, session, project, folder,
          ${raw(rows ? OF_ROW : "[], '', '', '', 0, 0")} FROM artifact FINAL WHERE ${scope.current()} ORDER BY id`,
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
          surface,
          prompted,
          scripted,
        ]) => ({
          artifact,
          root: shownPath(scope, device, root),
          platform,
          agent,
          session,
          project: shownProject(scope, project, folder) ?? null,
          folder,
          device,
          person,
          ...(names.length === 0 ? {} : { branches: names }),
          ...(kind === '' ? {} : { kind: kind as NonNullable<SessionFacts['kind']> }),
          ...(model === '' ? {} : { model }),
          ...(surface === '' ? {} : { entry: { surface: surface as SessionEntry['surface'] } }),
          // Only whether it has them is asked.
          ...(prompted === 1 && { promptedBy: [] }),
          ...(scripted === 1 && { script: { confidence: 1, sessions: 1 } }),
        }),
      )
