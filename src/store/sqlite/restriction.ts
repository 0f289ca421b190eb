import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { SessionEntry } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import {
  type FactNeeds,
  hasSessionFilter,
  needsOf,
  type SessionFacts,
  selecting,
  selectingAny,
} from '../../model/session-filter.ts'
import { asksForErrors, type FilterLists } from '../../search/query.ts'
import { ANY_FILE, fileCalls, toolsNamed } from '../../search/tool-filter.ts'
import { tokensOf } from '../../search/words.ts'
import { DEVICE_SEPARATOR } from '../file-copy.ts'
import type { SearchRequest } from '../search.ts'
import { speakerNumber } from '../stored.ts'
import { prepared, toolsIn } from './database.ts'
import { type Span, spanOf } from './days.ts'
import { facet } from './word-index.ts'

/** With more files than this, each row is checked instead. */
const MANY_FILES = 300
const IN_LIST = '(SELECT value FROM json_each(?))'
const ERROR = speakerNumber('error')

type Request = Pick<SearchRequest, 'query' | 'roots' | 'annotations' | 'deleted' | 'backups'>

/** Turns the filters of a request into restrictions on the index and on rows. */
export function restrict(database: DatabaseSync, request: Request, facts: FactsOfAll): Restriction {
  const { filters } = request.query
  const { roots, annotations, deleted, backups } = request
  const { after = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY, without, file } = filters
  const restriction = unrestricted()
  const withErrors = asksForErrors(filters)
  for (const facets of facetsOf(database, filters)) demand(facets)
  for (const facets of facetsOf(database, without)) deny(facets)
  if (file.length > 0) touching(file)
  const untouched = pathExpression(without.file)
  if (untouched !== undefined) leave(untouched, without.file)
  for (const { isTool, files } of fileCalls(filters)) {
    demand(toolsIn(database, (names) => names.filter(isTool)).map(facet.tool))
    touching(files)
  }
  for (const { isTool, files } of fileCalls(without)) {
    const tools = toolsIn(database, (names) => names.filter(isTool))
    const paths = pathExpression(files)
    if (tools.length > 0 && paths !== undefined)
      leave(`(${facetExpression(tools.map(facet.tool))} AND ${paths})`, files, tools)
  }
  // `after` is inclusive, `before` exclusive.
  if (filters.after !== undefined) where('m.at >= ?', [after])
  if (filters.before !== undefined) where('m.at < ?', [before])
  if (filters.after !== undefined || filters.before !== undefined) {
    restriction.before = filters.before
    restriction.span = spanOf(database, after, before)
    if (!restriction.span) restriction.empty = true
  }
  const isPart = isForeign(database, roots)
  if (hasSessionFilter(filters) || isPart) within(filesFor(facts, filters, selecting, { roots, annotations }))
  // Copies in them are no part of the answer.
  if (roots && isPart) restriction.hidden = new Set(filesOutside(facts, roots))
  if (hasSessionFilter(without)) outside(filesFor(facts, without, selectingAny, { annotations }))
  // Together, because a message may be in a deleted file and in a copy, and nowhere else.
  hide([
    ...(deleted === true ? [] : filesOfState(database, 'deleted')),
    ...(backups === true ? [] : filesOfState(database, 'backup')),
  ])
  return restriction

  /** Only messages with one of the facets match. */
  function demand(facets: readonly string[]): void {
    if (facets.length === 0) restriction.empty = true
    else restriction.expressions.push(facetExpression(facets))
  }

  /** No message with one of the facets matches. */
  function deny(facets: readonly string[]): void {
    if (facets.length > 0) restriction.denied.push(facetExpression(facets))
  }

  /** Only messages for which an SQL condition holds match. */
  function where(condition: string, values: readonly SQLInputValue[]): void {
    restriction.conditions.push(condition)
    append(restriction.values, values)
  }

  /**
   * Tool calls whose target contains one of the paths, and their errors if those are asked for. The index has
   * what errors say, not their targets.
   */
  function touching(paths: readonly string[]): void {
    const expression = pathExpression(paths)
    if (expression === undefined) restriction.empty = true
    else
      restriction.expressions.push(
        withErrors ? `(${expression} OR ${facetExpression([facet.who(ERROR)])})` : expression,
      )
    const cases = paths.flatMap(casesOf)
    const contained = cases.map(() => 'instr(lower(m.target), ?) > 0').join(' OR ')
    where(`(${contained})`, cases)
    if (withErrors) where(`(m.who <> ${ERROR} OR ${targetHas(cases)})`, cases.map(beginning))
  }

  /** No call on one of the files matches, and no error of one if errors are asked for. */
  function leave(calls: string, files: readonly string[], tools?: readonly number[]): void {
    restriction.denied.push(calls)
    if (!withErrors) return
    const cases = files.flatMap(casesOf)
    const ofTools = tools ? `coalesce(m.tool, 0) IN (${tools.join(', ')}) AND ` : ''
    where(`(m.who <> ${ERROR} OR NOT (${ofTools}${targetHas(cases)}))`, cases.map(beginning))
  }

  /** Only messages of these files. */
  function within(files: readonly number[]): void {
    restriction.shown = new Set(files)
    if (files.length === 0) restriction.empty = true
    const list = JSON.stringify(files)
    const isOne = filters.session.length > 0
    if (!isOne && !isPart) {
      if (files.length > MANY_FILES) where(`m.artifact IN ${IN_LIST}`, [list])
      else demand(files.map(facet.artifact))
      return
    }
    // A message that is in several files is indexed under one of them, which may belong to another session
    // (as that of a fork) or to a root that was not requested.
    where(
      `(m.artifact IN ${IN_LIST} OR EXISTS (SELECT 1 FROM occurrence c
      WHERE c.message = m.id AND c.copy = 1 AND c.artifact IN ${IN_LIST}))`,
      [list, list],
    )
    if (!isOne || files.length > MANY_FILES || files.length === 0) return
    const owners = prepared(
      database,
      `SELECT DISTINCT m.artifact AS id FROM occurrence o JOIN message m ON m.id = o.message
      WHERE o.artifact IN ${IN_LIST}`,
    ).all(list)
    demand([...new Set([...files, ...owners.map(({ id }) => Number(id))])].map(facet.artifact))
  }

  /** No messages of these files. */
  function outside(files: readonly number[]): void {
    if (files.length === 0) return
    restriction.outside = new Set(files)
    if (files.length <= MANY_FILES) deny(files.map(facet.artifact))
    else where(`m.artifact NOT IN ${IN_LIST}`, [JSON.stringify(files)])
  }

  /** Hides messages that only these files contain. */
  function hide(files: readonly number[]): void {
    if (files.length === 0) return
    const list = JSON.stringify(files)
    where(
      `(m.artifact NOT IN ${IN_LIST} OR EXISTS (SELECT 1 FROM occurrence c
      WHERE c.message = m.id AND c.copy = 1 AND c.artifact NOT IN ${IN_LIST}))`,
      [list, list],
    )
    restriction.hidden = new Set([...(restriction.hidden ?? []), ...files])
  }
}

/** Filters as expressions of the index, and as conditions on rows where those are not exact. */
export interface Restriction {
  expressions: string[]
  denied: string[]
  conditions: string[]
  values: SQLInputValue[]
  /**
   * Checks what the index cannot: whether the parts of a name follow each other in the text or the target of
   * a message.
   */
  holds?(text: string): boolean
  /** The range of message ids of the requested time. May include others. */
  span?: Span
  before?: number
  /** Nothing can match. */
  empty: boolean
  /** Only show messages of these files, and none of those. */
  shown?: ReadonlySet<number>
  hidden?: ReadonlySet<number>
  /** Files that a filter excludes. */
  outside?: ReadonlySet<number>
}

export const unrestricted = (): Restriction => ({
  expressions: [],
  denied: [],
  conditions: [],
  values: [],
  empty: false,
})

/** An expression of the index: any of these facets. */
const facetExpression = (facets: readonly string[]): string =>
  `{facet} : (${facets.map((facet) => `"${facet}"`).join(' OR ')})`

/** The facets of each filter. One of each list must match. */
function facetsOf(database: DatabaseSync, { who, error, question, tool }: FilterLists): string[][] {
  const lists: string[][] = []
  if (who.length > 0) lists.push(who.map((each) => facet.who(speakerNumber(each))))
  if (error) lists.push([facet.who(ERROR)])
  if (question) lists.push([facet.question])
  if (tool.length > 0) lists.push(toolsIn(database, (names) => toolsNamed(tool, names)).map(facet.tool))
  return lists
}

/** SQL for a target that has one of some paths where a word begins, each given as a `beginning`. */
const targetHas = (paths: readonly string[]): string =>
  `(${paths.map(() => "('/' || lower(coalesce(m.target, ''))) GLOB ?").join(' OR ')})`

/** A pattern of SQLite for a path that begins where a word does. */
const beginning = (path: string): string =>
  `*${/^[\p{L}\p{N}]/u.test(path) ? '[^a-z0-9]' : ''}${path.replace(/[*?[]/g, '[$&]')}*`

/**
 * A path as it may be written in targets: SQLite only puts ASCII letters in lower case, and macOS decomposes
 * accents.
 */
export function casesOf(path: string): string[] {
  const cases = [path, path.toLowerCase(), path.toUpperCase()]
  const forms = cases.flatMap((each) => [each.normalize('NFC'), each.normalize('NFD')])
  return [...new Set(forms.map((each) => each.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))]
}

/** The index finds paths by their parts. Undefined if no path has any. */
function pathExpression(paths: readonly string[]): string | undefined {
  const tools = facetExpression([facet.who(speakerNumber('tool'))])
  if (paths.includes(ANY_FILE)) return tools
  const parts = paths.flatMap((path) => {
    const tokens = tokensOf(path)
    return tokens.length === 0 ? [] : [`"${tokens.join(' ')}" *`]
  })
  return parts.length === 0 ? undefined : `({text} : (${parts.join(' OR ')}) AND ${tools})`
}

/** Whether the store contains files of roots that were not requested. Jumps from root to root. */
function isForeign(database: DatabaseSync, roots: readonly string[] | undefined): boolean {
  if (!roots) return false
  const stored = prepared(
    database,
    `WITH RECURSIVE step(root) AS (SELECT min(root) FROM artifact UNION ALL
      SELECT (SELECT min(root) FROM artifact WHERE root > step.root) FROM step WHERE step.root IS NOT NULL)
      SELECT root FROM step WHERE root IS NOT NULL`,
  ).all()
  return stored.some(({ root }) => !roots.includes(String(root)))
}

/** Files of sessions in this state. A partial index answers this query. */
const filesOfState = (database: DatabaseSync, state: 'deleted' | 'backup'): number[] =>
  prepared(database, `SELECT id FROM artifact WHERE facts LIKE '%"state":"${state}"%'`)
    .all()
    .map(({ id }) => Number(id))

/** What filters need to know of all sessions. See `createSessionFacts`. */
type FactsOfAll = (needs: FactNeeds) => readonly FileFacts[]

/** The files that match the filters. */
function filesFor(
  facts: FactsOfAll,
  lists: FilterLists,
  select: typeof selecting,
  { roots, annotations }: Pick<SearchRequest, 'roots' | 'annotations'>,
): number[] {
  const all = facts(needsOf(lists))
  const isSelected = select(lists, all)
  return all
    .filter((row) => !roots || roots.includes(row.root))
    .filter((row) => isSelected(annotations ? { ...row, annotation: annotations.get(row.session) } : row))
    .map(({ artifact }) => artifact)
}

const filesOutside = (facts: FactsOfAll, roots: readonly string[]): number[] =>
  facts({ rows: false })
    .filter(({ root }) => !roots.includes(root))
    .map(({ artifact }) => artifact)

/** A session with its file. */
interface FileFacts extends SessionFacts {
  artifact: number
  root: string
}

/** Facts that a file may not have. */
const PARTS = ['branches', 'kind', 'model', 'promptedBy', 'script', 'device', 'person'] as const
/** Those that are only in the row of a session, and there as JSON. */
const IN_ROW = ['branches', 'promptedBy', 'script'] as const

type Row = Omit<FileFacts, (typeof PARTS)[number] | 'entry'> &
  Record<(typeof PARTS)[number] | 'surface', string | null>

/** Only files that were copied from another machine say whose they are. Their roots begin with its name. */
const ofOthers = (name: string): string =>
  `iif(instr(a.root, '${DEVICE_SEPARATOR}') > 0, a.facts ->> '$.${name}', NULL) AS ${name}`

/** What the row of a session tells, if it is asked for. */
const ofRow = (name: string, path = name): string => `iif($whole, s.row ->> '$.${path}', NULL) AS ${name}`

/** What of these facts a row has. */
const parsed = (facts: Record<(typeof IN_ROW)[number], string | null>): Partial<SessionFacts> =>
  Object.fromEntries(
    IN_ROW.flatMap((name) => (facts[name] === null ? [] : [[name, JSON.parse(facts[name])]])),
  ) as Partial<SessionFacts>

/** With more sessions, they are read for each search. */
const MOST = 20_000

/**
 * What filters need to know of all sessions. Without what only rows tell it is cached as long as `version`
 * returns the same.
 */
export function createSessionFacts(
  database: DatabaseSync,
  version: () => string,
): (needs: FactNeeds) => readonly FileFacts[] {
  const all = database.prepare(`SELECT a.id AS artifact, a.root, a.platform, a.agent, a.session, s.project,
    s.project_path AS folder, ${['kind', 'model', ...IN_ROW].map((name) => ofRow(name)).join(', ')},
    ${ofRow('surface', 'entry.surface')}, ${ofOthers('device')}, ${ofOthers('person')}
    FROM artifact a LEFT JOIN session s ON s.artifact = a.id`)
  let cached: { version: string; rows: readonly FileFacts[] } | undefined
  return ({ rows: isWhole }) => {
    const now = version()
    if (!isWhole && cached?.version === now) return cached.rows
    const rows = (all.all({ whole: isWhole ? 1 : 0 }) as unknown as Row[]).map(
      ({ branches, kind, model, surface, promptedBy, script, device, person, ...row }): FileFacts => ({
        ...row,
        ...parsed({ branches, promptedBy, script }),
        ...(surface === null ? {} : { entry: { surface: surface as SessionEntry['surface'] } }),
        ...(kind === null ? {} : { kind: kind as NonNullable<SessionFacts['kind']> }),
        ...(model === null ? {} : { model }),
        ...(device === null ? {} : { device }),
        ...(person === null ? {} : { person }),
      }),
    )
    if (!isWhole) cached = rows.length > MOST ? undefined : { version: now, rows }
    return rows
  }
}
