import { ScrollbackError } from '../errors.ts'
import { append } from '../model/lists.ts'
import { finish } from '../model/steps.ts'
import { wantedTerms } from '../search/match.ts'
import { type ParseTime, parseQuery, type Query, type Term } from '../search/query.ts'
import { excessOf, MOST_CHARACTERS } from '../search/query-limits.ts'
import { tokensOf } from '../search/words.ts'
import type { SearchAnswer, SearchHit, Store, StoredMessage, StoredSession } from '../store/store.ts'
import type { Context } from './command.ts'
import { freshStore, nothingYet } from './fresh-store.ts'
import { noteUnreadable } from './load.ts'
import { spanOf } from './options.ts'
import { scannedOf } from './scanned.ts'
import type { SearchInput } from './search.ts'
import { type OutputSearch, searchOutputs } from './search-outputs.ts'
import { parseTime } from './time.ts'
import { unknownPlaces } from './unknown-places.ts'

/** Matches that are shown unless another number is asked for; with fewer, parts of words are searched too. */
const USUAL = 20
/** Whole words that stand in so many messages need no parts of words; the more is asked for, the fewer are enough. */
const enoughFor = (terms: readonly Term[]): number =>
  terms.length > 1 ? 5 : tokensOf(terms[0]?.text ?? '').length > 1 ? 1 : USUAL
/** All of them, as far as anybody would read. */
const ALL = 10_000
/** To show several sessions, more matches are looked at than are shown. */
const MORE = 10

/** What a search found, before it is laid out. */
export interface Found {
  query: Query
  answer: SearchAnswer
  /** How many matches are shown. */
  limit: number
  flat: boolean
  /** A human wants to open one of the matches. */
  pick: boolean
  scanned: ReturnType<typeof scannedOf>
  /** The sessions of some files. */
  rowsOf(hits: readonly SearchHit[]): Map<string, StoredSession>
  /** What stands around a match, where that was asked for. */
  around?(hit: SearchHit): Neighbours
  /** Messages of a file around a match, and the match. */
  excerpt(hit: SearchHit, count: number): StoredMessage[]
  /** What could have been found, for those who found nothing. */
  searched(): ReturnType<Store['searchable']>
  outputs?: OutputSearch
}

interface Neighbours {
  before: StoredMessage[]
  after: StoredMessage[]
}

export async function ask(input: SearchInput, context: Context): Promise<Found> {
  const text = input.query.join(' ').trim()
  if (text === '') throw nothingAsked()
  if (text.length > MOST_CHARACTERS)
    throw tooMuch(
      `${text.length.toLocaleString('en')} characters, and at most ${MOST_CHARACTERS.toLocaleString('en')} are read`,
    )
  const query = parseQuery(text, context.now, timeOf)
  const excess = excessOf(query)
  if (excess !== undefined) throw tooMuch(excess)
  narrow(query, input, context)
  const fresh = freshStore(context)
  if (!fresh)
    throw new ScrollbackError(
      'bad-option',
      'search answers from the store, which holds no secrets: --no-redact has nothing to show here',
      'Search without it, then: scrollback read <session> --no-redact',
    )
  const { store, found } = fresh
  noteUnreadable(found, context)
  const scanned = scannedOf(found).filter(
    ({ platform }) => input.platform === undefined || platform === input.platform,
  )
  const roots = scanned.map(({ root }) => root)
  append(query.remarks, unknownPlaces(query.filters, store, roots))
  for (const remark of query.remarks) context.note(remark)
  const limit = input.limit === 0 ? ALL : (input.limit ?? USUAL)
  const steps = store.searchInSteps({
    query,
    roots,
    limit: Math.min(ALL, limit * MORE),
    enough: enoughFor(wantedTerms(query.words)),
    now: context.now,
    deleted: context.environment.deleted === true,
    backups: context.environment.backups === true,
    lenient: true,
    // Without words nothing fits better than anything else.
    ...(input.sort === 'newest' || wantedTerms(query.words).length === 0 ? { sort: 'newest' } : {}),
  })
  const answer = context.inTurns ? await context.inTurns(steps) : finish(steps)
  if (fresh.busy && answer.total === 0 && store.searchable(roots).sessions === 0) throw nothingYet()
  const { context: near } = input
  return {
    // What was looked for in the end tells what is to be marked in what was found.
    query: { ...query, ...(answer.asked?.words ? { words: answer.asked.words } : {}) },
    answer,
    limit,
    flat: input.flat,
    pick: input.pick,
    scanned,
    rowsOf: (hits) => rowsOf(store, hits),
    excerpt: (hit, count) => {
      const { before, after } = neighbours(store, hit, count)
      return [...before, hit, ...after]
    },
    searched: () => store.searchable(roots),
    ...(near ? { around: (hit: SearchHit) => neighbours(store, hit, near) } : {}),
    ...(input.raw ? { outputs: searchOutputs(fresh, query, roots, context) } : {}),
  }
}

const timeOf: ParseTime = (text, edge, now) => {
  try {
    return parseTime(text, edge, now)
  } catch (error) {
    if (error instanceof ScrollbackError) return undefined
    throw error
  }
}

/** Flags that say the same as filters of the query. */
function narrow({ filters }: Query, input: SearchInput, context: Context): void {
  if (input.agent !== undefined) filters.agent.push(input.agent)
  const { since, until } = spanOf(input, context)
  if (Number.isFinite(since)) filters.after = Math.max(filters.after ?? since, since)
  if (Number.isFinite(until)) filters.before = Math.min(filters.before ?? until + 1, until + 1)
}

function rowsOf(store: Store, hits: readonly SearchHit[]): Map<string, StoredSession> {
  const paths = [...new Set(hits.map(({ path }) => path))]
  return new Map(store.sessions(undefined, paths).map((row) => [row.session.path, row]))
}

/** Empty where the match stands in its file no more. */
function neighbours(store: Store, { path, line, order, message }: SearchHit, count: number): Neighbours {
  const some = store.messages(path, { line, count: count + order + 1, before: count })
  const at = some.findIndex((each) => each.message === message && each.line === line && each.order === order)
  if (at < 0) return { before: [], after: [] }
  return { before: some.slice(Math.max(0, at - count), at), after: some.slice(at + 1, at + 1 + count) }
}

const tooMuch = (excess: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    `search: the query has ${excess}.`,
    'Search for the few words that are rare, or for one part after the other.',
  )

const nothingAsked = (): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    'search: what for?',
    `For example: scrollback search postgres backup
             scrollback search '"round the tax" -test who:human after:7d'
All of the syntax: scrollback search --help`,
  )
