import * as z from 'zod/mini'
import { type Context, inTurns } from '../../context/context.ts'
import { filters, spanOf } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { freshStore, nothingYet } from '../../context/fresh-store.ts'
import { type Incomplete, incompleteOf, incompleteShape, scannedOf } from '../../context/scanned.ts'
import { timeOrUndefined } from '../../context/time.ts'
import { ScrollbackError } from '../../errors.ts'
import { append } from '../../model/iteration.ts'
import { platformIds } from '../../platforms/identities.ts'
import { bagOf } from '../../search/bag.ts'
import { wantedTerms } from '../../search/match.ts'
import { excessOf, MOST_CHARACTERS, parseQuery, type Query, type Term } from '../../search/query.ts'
import { tokensOf } from '../../search/words.ts'
import { annotationsOf, storedAnnotations } from '../../selection/annotations.ts'
import { noteUnknownForms, noteUnreadable } from '../../selection/load-sessions.ts'
import { createMemoryOwners } from '../../selection/memory-owners.ts'
import { unknownFilters, unknownTools } from '../../selection/unknown-names.ts'
import type { SearchAnswer, SearchHit } from '../../store/search.ts'
import type { Messages, Search, Sessions, Store } from '../../store/store.ts'
import type { StoredMessage, StoredSession } from '../../store/stored.ts'
import { atListed } from './listed.ts'
import type { OutputSearch } from './outputs.ts'

/** The default number of hits. With fewer hits, parts of words are searched too. */
const USUAL = 20
/** With this many matches of whole words, parts of words are not searched. A smaller limit needs fewer. */
const enoughFor = (terms: readonly Term[]): number =>
  terms.length > 1 ? 5 : tokensOf(terms[0]?.text ?? '').length > 1 ? 1 : USUAL
/** The largest number of hits that anybody would read. */
const ALL = 10_000
/** How many matches are considered for each hit, so that several sessions are shown. */
const MORE = 10

/** The result of a search before it is rendered. */
export interface Found {
  query: Query
  answer: SearchAnswer
  /** How many hits are shown. */
  limit: number
  flat: boolean
  /** Whether a human wants to open one of the hits. */
  pick: boolean
  scanned: ReturnType<typeof scannedOf>
  /** What was searched of the files on disk, if not all of them. */
  incomplete?: Incomplete
  /** The sessions of some files. */
  rowsOf(hits: readonly SearchHit[]): Map<string, StoredSession>
  /** The session that a subagent belongs to, if it is stored. */
  parentOf(row: StoredSession): StoredSession | undefined
  /** Whose a memory document is, as `memory` names it: a project or an agent. */
  ownerOf(document: Pick<SearchHit, 'path' | 'agent'>): string
  /** The name that the user gave a session, by its id. Read when it is first needed. */
  ownName(session: string): string | undefined
  /** Messages around a match, with `--context`. */
  around?(hit: SearchHit): Neighbors
  /** Messages of a file around a match, including the match. */
  excerpt(hit: SearchHit, count: number): StoredMessage[]
  /** What was searched, for answers without hits. */
  searched(): ReturnType<Search['searchable']>
  outputs?: OutputSearch
  /** The file that was asked for, where `why` can tell more of it. */
  file?: string
}

interface Neighbors {
  before: StoredMessage[]
  after: StoredMessage[]
}

/** The query that is asked. Refuses one that is empty or too long. */
export function queryOf(
  input: Pick<SearchInput, 'query'>,
  { now, suggest }: Pick<Context, 'now' | 'suggest'>,
): Query {
  const text = input.query.join(' ').trim()
  if (!/[^\s\0]/.test(text)) throw nothingAsked({ suggest })
  if (text.length > MOST_CHARACTERS)
    throw tooMuch(
      `${text.length.toLocaleString('en')} characters, and at most ${MOST_CHARACTERS.toLocaleString('en')} are read`,
    )
  const query = parseQuery(text, now, timeOrUndefined)
  const excess = excessOf(query)
  if (excess !== undefined) throw tooMuch(excess)
  return query
}

/** The query with the flags that correspond to its filters. */
function narrowed(input: SearchInput, context: Context): Query {
  const query = queryOf(input, context)
  const { filters } = query
  if (input.project !== undefined) filters.project.push(input.project)
  if (input.agent !== undefined) filters.agent.push(input.agent)
  if (input.tag !== undefined) filters.tag.push(input.tag)
  const { since, until } = spanOf(input, context)
  if (Number.isFinite(since)) filters.after = Math.max(filters.after ?? since, since)
  if (Number.isFinite(until)) filters.before = Math.min(filters.before ?? until + 1, until + 1)
  return query
}

/** Where a search looks besides the words: `words` leaves meaning out. */
type Ranking = 'words' | 'words and meaning'

export async function ask(
  input: SearchInput,
  context: Context,
  ranking: Ranking = 'words and meaning',
): Promise<Found> {
  const query = narrowed(input, context)
  const fresh = freshStore(context, { words: true })
  const { store, found } = fresh
  noteUnreadable(found, context)
  const scanned = scannedOf(found).filter(
    ({ platform }) => input.platform === undefined || platform === input.platform,
  )
  const roots = scanned.map(({ root }) => root)
  const annotations = needsAnnotations(query) ? annotationsOf(context, fresh) : undefined
  append(
    query.remarks,
    unknownFilters(query.filters, (needs) =>
      store
        .sessionFacts(roots, needs)
        .map((facts) => ({ ...facts, annotation: annotations?.get(facts.session) })),
    ),
  )
  append(query.remarks, unknownTools(query.filters, store, context))
  for (const remark of query.remarks) context.note(remark)
  const terms = wantedTerms(query.words)
  const limit = input.limit === 0 ? ALL : (input.limit ?? USUAL)
  const vector = ranking === 'words' ? undefined : await meaningOf(input, query, store, context)
  const request = {
    query,
    vector,
    roots,
    limit: Math.min(ALL, limit * MORE),
    enough: enoughFor(terms),
    now: context.now,
    annotations,
    deleted: context.environment.deleted === true,
    backups: context.environment.backups === true,
    relaxed: true,
    // Without words, no match is better than another.
    ...(input.sort === 'newest' || terms.length === 0 ? { sort: 'newest' as const } : {}),
  }
  const search = async (wanted: Query): Promise<SearchAnswer> =>
    atListed(await inTurns(store.searchInSteps({ ...request, query: wanted }), context), store)
  const answer = await search(query)
  if (asksForFile(query)) {
    const changes = await search({
      ...query,
      filters: { ...query.filters, file: [], edited: query.filters.file },
    })
    answer.hits = inTurn(changes.hits, answer.hits, request.limit)
  }
  if (found.obstacle === 'busy' && answer.total === 0 && store.searchable(roots).sessions === 0)
    throw nothingYet()
  // What was not found may be in files that could not be understood.
  if (answer.total === 0)
    noteUnknownForms(
      store.sessions(roots, store.unknownForms()).map(({ session }) => session),
      context,
    )
  const { context: near } = input
  const ownerOf = createMemoryOwners(store)
  return {
    // Matches are marked by the query that was run last.
    query: { ...query, ...(answer.asked?.words ? { words: answer.asked.words } : {}) },
    answer,
    limit,
    ...(incompleteOf(context) && { incomplete: incompleteOf(context) }),
    flat: input.flat,
    pick: input.pick,
    scanned,
    rowsOf: (hits) => rowsOf(store, hits),
    parentOf: parents(store),
    ownerOf: ({ path, agent }) => ownerOf(path)?.name ?? agent,
    ownName: ownNames(context),
    excerpt: (hit, count) => {
      const { before, after } = neighbors(store, hit, count)
      return [...before, hit, ...after]
    },
    searched: () => searchedOf(store, roots),
    ...(context.remote ? {} : fileOf(query)),
    ...(near ? { around: (hit: SearchHit) => neighbors(store, hit, near) } : {}),
    ...(input.raw
      ? {
          outputs: (await import('./outputs.ts')).searchOutputs(
            fresh,
            query,
            { roots, annotations },
            context,
          ),
        }
      : {}),
  }
}

/** What was searched: none of the messages whose words are not indexed yet. An estimate in between. */
export function searchedOf(store: Store, roots: readonly string[]): ReturnType<Search['searchable']> {
  const all = store.searchable(roots)
  const unindexed = store.unindexed()
  if (unindexed === 0) return all
  const share = 1 - unindexed / Math.max(unindexed, store.newest())
  return {
    sessions: Math.ceil(all.sessions * share),
    messages: Math.floor(all.messages * share),
    calls: Math.floor(all.calls * share),
  }
}

/** The vector of a sentence, where search by meaning is on. Notes why there is none. */
async function meaningOf(
  { sort }: SearchInput,
  query: Query,
  { vectors }: Store,
  { environment, note }: Context,
): Promise<Int8Array | undefined> {
  if (sort === 'newest' || !vectors || !bagOf(query)?.isSentence) return undefined
  const set = vectors.set()
  if (!set?.dimensions) return undefined
  const { vectorOf } = await import('../../meaning/encoder.ts')
  const text = wantedTerms(query.words)
    .map((term) => term.text)
    .join(' ')
  const { vector, fault } = await vectorOf(text, set, environment.variables)
  if (fault !== undefined) note(`Searched by words only, because meaning is not available: ${fault}`)
  return vector
}

function fileOf({ filters }: Query): { file?: string } {
  const [file] = [...filters.file, ...filters.edited, ...filters.read]
  return file === undefined ? {} : { file }
}

/** Whether a query is only about a file. Those who changed it come before those who read it. */
const asksForFile = ({ words, filters: { file, tool, edited, read, who } }: Query): boolean =>
  words === undefined && file.length > 0 && tool.length + edited.length + read.length + who.length === 0

/** The hits of both, each once. */
const inTurn = (
  first: Iterable<SearchHit>,
  rest: Iterable<SearchHit>,
  limit: number,
): Iterable<SearchHit> => ({
  *[Symbol.iterator]() {
    const given = new Set<number>()
    for (const hits of [first, rest])
      for (const hit of hits) {
        if (given.size === limit) return
        if (given.has(hit.message)) continue
        given.add(hit.message)
        yield hit
      }
  },
})

const needsAnnotations = ({ filters }: Query): boolean =>
  [filters, filters.without].some(({ tag, starred }) => tag.length > 0 || starred)

function rowsOf(store: Sessions, hits: readonly SearchHit[]): Map<string, StoredSession> {
  const paths = [...new Set(hits.map(({ path }) => path))]
  return new Map(store.sessions(undefined, paths).map((row) => [row.session.path, row]))
}

function parents(store: Sessions): Found['parentOf'] {
  const known = new Map<string, StoredSession | undefined>()
  return ({ session: { kind, platform, parentSessionId: id } }) => {
    if (kind !== 'subagent' || id === undefined) return undefined
    if (!known.has(id)) {
      const rows = store.sessions(undefined, store.pathsOf(id))
      known.set(
        id,
        rows.find(({ session }) => session.id === id && session.platform === platform),
      )
    }
    return known.get(id)
  }
}

function ownNames(context: Context): Found['ownName'] {
  let own: ReturnType<typeof storedAnnotations>['own'] | undefined
  return (session) => {
    own ??= storedAnnotations(context).own
    return own.get(session)?.name
  }
}

/** Empty if the match is no longer in its file. */
function neighbors(store: Messages, { path, line, order, message }: SearchHit, count: number): Neighbors {
  const some = store.messages(path, { line, count: count + order + 1, before: count }, { usage: false })
  const at = some.findIndex((each) => each.message === message && each.line === line && each.order === order)
  if (at < 0) return { before: [], after: [] }
  return { before: some.slice(Math.max(0, at - count), at), after: some.slice(at + 1, at + 1 + count) }
}

const tooMuch = (excess: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    `search: the query has ${excess}.`,
    'Search for fewer words, or for one part at a time.',
  )

const nothingAsked = ({ suggest }: Pick<Context, 'suggest'>): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    'search: the query is missing',
    [
      `For example: ${suggest('search', ['postgres', 'backup'])}`,
      `             ${suggest('search', ['"round the tax" -test who:human after:7d'])}`,
      'For the query syntax: scrollback search --help',
    ].join('\n'),
  )

export const input = z.object({
  query: field.texts({
    description: 'words, "phrases", name:value filters; see above',
    positional: true,
    words: true,
  }),
  project: field.text({ description: 'only this project; part of a name is enough', placeholder: 'name' }),
  platform: field.choice(platformIds(), { description: 'only this platform', placeholder: 'id' }),
  agent: filters.agent,
  tag: filters.tag,
  since: field.time('since', { description: 'only since this time: 7d, 2026-01-31, yesterday' }),
  until: field.time('until', { description: 'only until the end of: 2026-01-31, today' }),
  limit: field.count({ description: 'at most n matches (20); 0 = all', placeholder: 'n' }),
  context: field.count({
    description: 'also print n messages before and after each match',
    placeholder: 'n',
  }),
  sort: field.choiceOr(['relevance', 'newest'], 'relevance', {
    description: 'relevance or newest first',
    placeholder: 'order',
  }),
  flat: field.flag({ description: 'print one line per match, not grouped by session' }),
  pick: field.flag({ description: 'choose a match and read it' }),
  raw: field.flag({ description: 'also search tool output, which reads the transcripts themselves' }),
})

export type SearchInput = z.output<typeof input>

const positionShape = () => ({ path: z.string(), line: z.number(), offset: z.number() })

const toolShape = () => z.nullable(z.object({ name: z.string(), target: z.nullable(z.string()) }))

const neighborShape = () =>
  z.object({
    who: z.string(),
    at: z.nullable(z.string()),
    text: z.nullable(z.string()),
    tool: toolShape(),
    line: z.number(),
    /** For an error: `false` if only the text of the output suggests it. */
    sure: z.optional(z.boolean()),
  })

const hitShape = () =>
  z.object({
    session: z.string(),
    project: z.nullable(z.string()),
    who: z.enum(['human', 'agent', 'program', 'tool', 'error', 'marker', 'memory', 'output']),
    at: z.nullable(z.string()),
    snippet: z.string(),
    text: z.nullable(z.string()),
    ...positionShape(),
    score: z.number(),
    platform: z.string(),
    agent: z.string(),
    tool: toolShape(),
    marks: z.array(z.tuple([z.number(), z.number()])),
    label: z.optional(z.string()),
    offBranch: z.optional(z.boolean()),
    copies: z.optional(z.array(z.object({ path: z.string(), line: z.number() }))),
    goneSince: z.optional(z.string()),
    context: z.optional(z.object({ before: z.array(neighborShape()), after: z.array(neighborShape()) })),
    raw: z.optional(z.boolean()),
    /** Where sessions were ranked by words: how many of them this message and its neighbors contain. */
    words: z.optional(z.number()),
    /** Where sentences are also searched by meaning: why it was found, and how similar it is, up to 1. */
    by: z.optional(z.array(z.enum(['words', 'meaning']))),
    similarity: z.optional(z.number()),
    /** The title of the session, and the name that the user gave it. */
    title: z.optional(z.string()),
    name: z.optional(z.string()),
  })

export const output = () =>
  z.object({
    version: z.literal(1),
    query: z.string(),
    total: z.number(),
    more: z.boolean(),
    widened: z.boolean(),
    relaxed: z.boolean(),
    /** How many words sessions were ranked by. */
    words: z.optional(z.number()),
    corrections: z.optional(z.array(z.object({ word: z.string(), instead: z.string() }))),
    corrected: z.optional(z.boolean()),
    remarks: z.array(z.string()),
    incomplete: z.optional(incompleteShape()),
    searched: z.optional(z.object({ sessions: z.number(), messages: z.number(), calls: z.number() })),
    hits: z.array(hitShape()),
    outputs: z.optional(
      z.object({ total: z.number(), sessions: z.number(), files: z.number(), bytes: z.number() }),
    ),
  })

export type HitJson = z.output<ReturnType<typeof hitShape>>
