import type { DatabaseSync } from 'node:sqlite'
import type { Steps } from '../../model/iteration.ts'
import { fold, spellingsOf } from '../../search/characters.ts'
import { createMatcher, createScorer, wantedTerms } from '../../search/match.ts'
import { type Node, wordsIn } from '../../search/query.ts'
import { tokensOf } from '../../search/words.ts'
import { searchRelaxed } from '../relaxed.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from '../search.ts'
import {
  byScore,
  isRepeated,
  matchingTitles,
  type Rank,
  type SearchSource,
  type SessionPositions,
  SPEAKING,
  type TitledSession,
  titleHitAt,
} from '../search-source.ts'
import { SPEAKERS, speakerNumber } from '../stored.ts'
import {
  closeTogether,
  createCandidates,
  createParts,
  EVERYTHING,
  wordsExpression,
  wordsWith,
} from './candidates.ts'
import { CUT_LINE } from './cuts.ts'
import { prepared } from './database.ts'
import { MESSAGE_COLUMNS, type MessageColumns, storedMessage } from './messages.ts'
import { createNearest } from './nearest.ts'
import { createSessionFacts, type Restriction, restrict } from './restriction.ts'
import { facet } from './word-index.ts'

/** Searches an open store. What most searches need is cached until the store changes. */
export function createSearcher(database: DatabaseSync) {
  const others = database.prepare('PRAGMA data_version')
  const own = database.prepare('SELECT total_changes() AS changes')
  const version = (): string => `${others.get()!.data_version} ${own.get()!.changes}`
  const facts = createSessionFacts(database, version)
  const titles = createTitleList(database, version)
  const { nearest } = createNearest(database)
  return {
    facts,
    *search(request: SearchRequest): Steps<SearchAnswer> {
      const limits = restrict(database, request, facts)
      return yield* request.relaxed
        ? searchRelaxed(createSource(database, limits, { titles, nearest }), request)
        : search(database, request, limits)
    },
  }
}

/** How many of the newest matches are ranked. */
const CANDIDATES = 400
/** If there are no more than this, all are ranked. Looking for the promising ones takes longer. */
const ALL = 600
/** How many matches are added that other signs make promising, however old they are. */
const EXTRA = 100
/** With more matches than this, the newest ones include enough with adjacent words. */
const SOME = 1200
/**
 * Up to this many matches, those of humans are looked up one by one. For several words, the index would read
 * the lists of all of them again.
 */
const FEW = 800
const FEW_OF_SEVERAL = 2000
/** Messages read and ranked per step. */
const STEP = 200
/** Hits loaded at once. */
const SHOWN = 20
/**
 * Counting stops at this number, or earlier if each row has to be checked or a hundred words are searched.
 */
const COUNTED = 5000
const COUNTED_SLOWLY = 2000

interface Candidate {
  id: number
  at: number | null
  score: number
}

type CandidateValues = [
  id: number,
  at: number | null,
  who: number,
  text: string | null,
  target: string | null,
  artifact: number,
]

/** Ranked hits. Whole words come first. If there are few, words that contain the terms follow. */
function* search(database: DatabaseSync, request: SearchRequest, limits: Restriction): Steps<SearchAnswer> {
  const { query, limit, enough = limit } = request
  if (limits.empty) return NOTHING
  const count = Math.max(CANDIDATES, limit)
  const few = query.words && wordsIn(query.words) > 1 ? FEW_OF_SEVERAL : FEW
  const find = function* (expression: string, within: Restriction, counted = COUNTED): Steps<Found> {
    yield
    const candidates = createCandidates(database, expression, within)
    const isChecked = within.conditions.length > 0 || within.holds !== undefined
    const most = Math.max(count, isChecked ? COUNTED_SLOWLY : counted)
    const wanted = { count: Math.max(count, few), most: most + 1, enough: count }
    const { ids, total, isCut } =
      request.sort === 'newest'
        ? yield* candidates.newest({ ...wanted, count })
        : yield* candidates.latest(wanted)
    const more = isCut || total > most
    return {
      ids: ids.slice(0, count),
      total: Math.min(total, most),
      more,
      isCut,
      ...(ids.length === total && !more ? { all: ids } : {}),
    }
  }
  const exact = query.words ? wordsExpression(query.words) : EVERYTHING
  const whole = exact ? yield* find(exact, limits) : NONE
  const parts = whole.total < enough && query.words ? inParts(database, query.words, limits) : undefined
  const wider =
    parts && parts.expression !== exact ? yield* find(parts.expression, parts.limits, COUNTED_SLOWLY) : NONE
  const widened = wider.total > whole.total
  const found = widened ? wider : whole
  if (found.total === 0) return NOTHING
  const ids = new Set(found.total > ALL ? found.ids : (found.all ?? found.ids))
  if (!widened && query.words && exact && found.total > ids.size && request.sort !== 'newest')
    for (const id of yield* promising(database, query.words, { exact, found, limits })) ids.add(id)
  return {
    ...(yield* best(database, [...ids], request, limits)),
    total: found.total,
    more: found.more,
    widened,
  }
}

const NOTHING: SearchAnswer = { hits: [], total: 0, more: false, widened: false, sessions: () => new Map() }

interface Found {
  ids: number[]
  /** All matches, if they are few. */
  all?: number[]
  total: number
  more: boolean
  /** Only the newest messages were searched. */
  isCut: boolean
}

const NONE: Found = { ids: [], total: 0, more: false, isCut: false }

/**
 * Matches terms inside words. For terms of several tokens, the index does not check that they are adjacent.
 */
export function inParts(
  database: DatabaseSync,
  words: Node,
  limits: Restriction,
): { expression: string; limits: Restriction } | undefined {
  const expression = wordsExpression(words, createParts(database))
  if (expression === undefined) return undefined
  // For a term of one token, every word that contains it was looked up.
  const several = (text: string): boolean => tokensOf(text).length > 1
  if (!wantedTerms(words).some((term) => !term.phrase && spellingsOf(term).some(several)))
    return { expression, limits }
  return { expression, limits: { ...limits, holds: createMatcher(words, { loose: true }) } }
}

/** Matches that may be good, even if they are old: with adjacent words, and from a human. */
function* promising(
  database: DatabaseSync,
  words: Node,
  { exact, found, limits }: { exact: string; found: Found; limits: Restriction },
): Steps<number[]> {
  const latest = function* (expression: string): Steps<number[]> {
    // With enough among the newest messages, older ones are not searched.
    const wanted = { count: EXTRA, most: EXTRA, enough: found.isCut ? 0 : EXTRA }
    return (yield* createCandidates(database, expression, limits).latest(wanted)).ids
  }
  const near = found.total > SOME ? undefined : closeTogether(words)
  const human = speakerNumber('human')
  return [
    ...(near ? yield* latest(near) : []),
    ...(found.all
      ? ofHumans(database, found.all)
      : yield* latest(`${exact} AND {facet} : "${facet.who(human)}"`)),
  ]
}

/**
 * The latest of some messages that are of humans. For few, this is faster than asking the index of words
 * again. The rows are not read.
 */
function ofHumans(database: DatabaseSync, ids: readonly number[]): number[] {
  return prepared(
    database,
    `SELECT id FROM message INDEXED BY message_human
    WHERE who = 0 AND id IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?`,
  )
    .all(JSON.stringify(ids), EXTRA)
    .map(({ id }) => Number(id))
}

/** Ranks the candidates, loads the best of them, and counts matches per session. */
function* best(
  database: DatabaseSync,
  ids: readonly number[],
  { query, limit, now, sort }: SearchRequest,
  limits: Restriction,
  rank: Rank = byScore,
): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>> {
  const scorer = createScorer(query)
  const some = prepared(
    database,
    'SELECT id, at, who, text, target, artifact FROM message WHERE id IN (SELECT value FROM json_each(?))',
    { arrays: true },
  )
  const rows: Omit<Candidate, 'score'>[] = []
  const shownIn = fileWithin(database, limits)
  const scores = new Map<number, number>()
  const counts = new Map<number, number>()
  for (let from = 0; from < ids.length; from += STEP) {
    yield
    const found = some.all(JSON.stringify(ids.slice(from, from + STEP))) as unknown as CandidateValues[]
    for (const [id, at, who, text, target, owner] of found) {
      const artifact = shownIn(id, owner)
      counts.set(artifact, (counts.get(artifact) ?? 0) + 1)
      const candidate = { text: text ?? '', who: SPEAKERS[who]!, at: at ?? undefined }
      rows.push({ id, at })
      scores.set(id, scorer({ ...candidate, target: target ?? undefined }, now))
    }
  }
  const rankOf = rank(scores)
  const newer = (a: Candidate, b: Candidate): number => (b.at ?? 0) - (a.at ?? 0)
  const ranked = rows.map((row): Candidate => ({ ...row, score: rankOf(row.id) }))
  ranked.sort((a, b) =>
    sort === 'newest'
      ? newer(a, b) || b.score - a.score || b.id - a.id
      : b.score - a.score || newer(a, b) || b.id - a.id,
  )
  const read = createHitReader(database, limits)
  return {
    hits: {
      *[Symbol.iterator]() {
        for (let from = 0; from < Math.min(ranked.length, limit); from += SHOWN) {
          const some = ranked.slice(from, Math.min(from + SHOWN, limit))
          const hitOf = read(some.map(({ id }) => id))
          for (const { id, score } of some) {
            const found = hitOf(id)
            if (found) yield { ...found, score }
          }
        }
      },
    },
    sessions: () => countsByPath(database, counts),
  }
}

function countsByPath(database: DatabaseSync, counts: ReadonlyMap<number, number>): Map<string, number> {
  const rows = prepared(
    database,
    'SELECT id, path FROM artifact WHERE id IN (SELECT value FROM json_each(?))',
  )
  const found = rows.all(JSON.stringify([...counts.keys()]))
  return new Map(found.map(({ id, path }) => [String(path), counts.get(Number(id))!]))
}

/** What SQLite does for a relaxed search within some limits. */
function createSource(
  database: DatabaseSync,
  limits: Restriction,
  { titles, nearest }: { titles: () => Iterable<TitledSession> } & ReturnType<typeof createNearest>,
): SearchSource {
  function* latest(words: Node, count: number, most: number): Steps<{ ids: number[]; total: number }> {
    const expression = wordsExpression(words)
    if (expression === undefined) return { ids: [], total: 0 }
    return yield* createCandidates(database, expression, limits).latest({ count, most })
  }
  let known: Size | undefined
  const size = (): Size => {
    known ??= sizeOf(database)
    return known
  }
  return {
    isEmpty: limits.empty,
    search: (request) => search(database, request, limits),
    *latest(words, count) {
      const { ids } = yield* latest(words, count, count)
      const [first = 0, last = 0] = [ids[0], ids.at(-1)]
      // Older ones are as dense as these.
      const { messages } = size()
      const all = (ids.length * messages) / (first - last + 1)
      return { ids, total: ids.length < count ? ids.length : Math.max(count, Math.min(all, messages)) }
    },
    nearest: (vector) => nearest(vector, limits),
    ownersOf: (ids) => ownersOf(database, ids, limits),
    lengthsOf: (ids) =>
      new Map(
        prepared(
          database,
          `SELECT id, octet_length(coalesce(text, target)) AS bytes FROM message
          WHERE id IN (SELECT value FROM json_each(?))`,
        )
          .all(JSON.stringify(ids))
          .map(({ id, bytes }) => [Number(id), Number(bytes)]),
      ),
    positionsIn: (session, isWanted) => positionsIn(database, session, isWanted),
    size,
    *count(words, most) {
      return (yield* latest(words, 0, most)).total
    },
    best: (ids, request, rank) => best(database, ids, request, limits, rank),
    vocabulary: (lengths, pieces) => wordsWith(database, lengths, pieces),
    titles: (request, fits) => matchingTitles(titles, request, limits, fits),
    titleHit(titled) {
      // An index finds prompts. Sorting all messages of a session takes longer.
      const row = prepared(database, firstItem('AND o.prompt = 1')).get(titled.artifact)
      const first = (row ?? prepared(database, firstItem('')).get(titled.artifact)) as Occurrence | undefined
      return first && titleHitAt(titled, storedMessage(first), fileOf(first))
    },
  }
}

type Size = ReturnType<SearchSource['size']>

const sizeOf = (database: DatabaseSync): Size =>
  prepared(
    database,
    'SELECT (SELECT max(id) FROM message) AS messages, (SELECT count(*) FROM session) AS sessions',
  ).get() as Size

/** The files that messages belong to, and whether a tool or a program wrote them. */
function ownersOf(
  database: DatabaseSync,
  ids: readonly number[],
  limits: Restriction,
): Map<number, { session: number; isAside: boolean }> {
  const shownIn = fileWithin(database, limits)
  const rows = prepared(
    database,
    'SELECT id, artifact, who FROM message WHERE id IN (SELECT value FROM json_each(?))',
    { arrays: true },
  ).all(JSON.stringify(ids)) as unknown as [id: number, artifact: number, who: number][]
  return new Map(
    rows.map(([id, owner, who]) => [
      id,
      { session: shownIn(id, owner), isAside: !SPEAKING.has(SPEAKERS[who]!) },
    ]),
  )
}

/** The file in which a message is shown: the one that owns it, or a requested one that has a copy. */
function fileWithin(
  database: DatabaseSync,
  { shown }: Restriction,
): (message: number, owner: number) => number {
  const copies = prepared(
    database,
    'SELECT o.artifact FROM occurrence o JOIN artifact a ON a.id = o.artifact WHERE o.message = ? AND o.copy = 1 ORDER BY a.rank, a.id',
    { arrays: true },
  )
  return (message, owner) => {
    if (shown === undefined || shown.has(owner)) return owner
    const files = copies.all(message) as unknown as [number][]
    return files.find(([artifact]) => shown.has(artifact))?.[0] ?? owner
  }
}

/** Some messages of a file with their positions. Those that the client has cut off come first. */
function positionsIn(
  database: DatabaseSync,
  artifact: number,
  isWanted: (message: number) => boolean,
): SessionPositions {
  const { messages } = prepared(
    database,
    `SELECT json_group_array(message) AS messages FROM (
      SELECT message FROM occurrence WHERE artifact = ? ORDER BY generation, line, place)`,
  ).get(artifact)!
  const all = JSON.parse(String(messages)) as number[]
  const positions = new Map<number, number>()
  for (const [position, message] of all.entries()) if (isWanted(message)) positions.set(message, position)
  return {
    length: all.length,
    found: Array.from(positions, ([message, position]) => ({ message, position })),
  }
}

/** The first item of a session, which shows what the session is about. */
const firstItem = (
  which: string,
): string => `SELECT ${MESSAGE_COLUMNS}, a.path, a.platform, a.agent, a.session,
  s.project, a.gone FROM artifact a JOIN session s ON s.artifact = a.id
  JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation
  JOIN message m ON m.id = o.message LEFT JOIN tool t ON t.id = m.tool
  WHERE a.id = ? ${which} ORDER BY o.line, o.place LIMIT 1`

/** A message at one of its occurrences. */
type Occurrence = MessageColumns &
  Pick<SearchHit, 'path' | 'platform' | 'agent' | 'session'> & {
    artifact: number
    project: string | null
    /** When the file, or the message in it, was found missing. */
    gone: number | null
    /** Its line if the client has cut it off the file. */
    cutLine: number | null
  }

const lineOf = ({ cutLine, line }: Occurrence): number => cutLine ?? line

const fileOf = ({ session, platform, agent, project, path, gone }: Occurrence) => ({
  session,
  platform,
  agent,
  path,
  project: project ?? undefined,
  ...(gone === null ? {} : { goneMs: gone }),
})

/** The maximum number of copies that are listed. */
const MOST_COPIES = 20

const OCCURRENCE = `SELECT ${MESSAGE_COLUMNS}, o.artifact, a.path, a.platform, a.agent, a.session, s.project,
  iif(o.generation < a.generation, ${CUT_LINE}, NULL) AS cutLine,
  coalesce(a.gone, iif(o.generation < a.generation, a.modified, NULL)) AS gone`
const REST = 'LEFT JOIN tool t ON t.id = m.tool LEFT JOIN session s ON s.artifact = a.id'

/**
 * Loads messages at their best occurrences: in a requested file that still exists, otherwise at the first
 * occurrence.
 */
function createHitReader(database: DatabaseSync, { shown, hidden }: Restriction) {
  const first = prepared(
    database,
    `${OCCURRENCE} FROM message m JOIN artifact a ON a.id = m.artifact
    JOIN occurrence o ON o.artifact = a.id AND o.generation = a.generation AND o.line = m.line AND o.message = m.id
    ${REST} WHERE m.id IN (SELECT value FROM json_each(?))`,
  )
  const copied = prepared(
    database,
    'SELECT DISTINCT message FROM occurrence WHERE copy = 1 AND message IN (SELECT value FROM json_each(?))',
  )
  // A message that its file no longer contains takes longer to find and is rarely requested.
  const former = prepared(
    database,
    `${OCCURRENCE} FROM message m JOIN artifact a ON a.id = m.artifact
    JOIN occurrence o ON o.artifact = a.id AND o.message = m.id AND o.line = m.line
    ${REST} WHERE m.id = ? ORDER BY o.generation DESC LIMIT 1`,
  )
  const copies = prepared(
    database,
    `${OCCURRENCE} FROM occurrence o JOIN message m ON m.id = o.message JOIN artifact a ON a.id = o.artifact
    ${REST} WHERE o.message = ? AND o.copy = 1 ORDER BY a.rank, a.path, o.generation DESC, o.line LIMIT ${MOST_COPIES}`,
  )

  return (ids: readonly number[]): ((id: number) => Omit<SearchHit, 'score'> | undefined) => {
    const list = JSON.stringify(ids)
    const firsts = new Map<unknown, unknown>()
    for (const row of first.all(list)) if (!firsts.has(row.id)) firsts.set(row.id, row)
    const withCopies = new Set(copied.all(list).map(({ message }) => message))
    return (id) => {
      const own = firsts.get(id) ?? former.get(id)
      const found = [...(own ? [own] : []), ...(withCopies.has(id) ? copies.all(id) : [])] as Occurrence[]
      const all = found.filter(({ artifact }) => !hidden?.has(artifact))
      const wanted = all.filter(({ artifact }) => shown?.has(artifact) !== false)
      const best = wanted.find(({ gone }) => gone === null) ?? wanted[0] ?? all[0]
      if (!best) return undefined
      return {
        ...storedMessage(best),
        line: lineOf(best),
        ...fileOf(best),
        copies: all.flatMap((each) => (each === best ? [] : { path: each.path, line: lineOf(each) })),
      }
    }
  }
}

/** If all titles together have more characters, they are read for each search. */
const MOST_CHARACTERS = 4_000_000

/** The index `session_title` answers it, without the rows of sessions. */
export const TITLES = `SELECT artifact, row ->> '$.title' AS title, row ->> '$.lastActivityMs' AS at,
  substr(row ->> '$.firstHuman', 1, 100) AS first FROM session
  WHERE row ->> '$.title' IS NOT row ->> '$.firstHuman' AND row ->> '$.title' IS NOT NULL`

/**
 * The titles of all sessions, cached as long as `version` returns the same. Those that only repeat the first
 * words are left out.
 */
export function createTitleList(
  database: DatabaseSync,
  version: () => string,
): () => Iterable<TitledSession> {
  const all = database.prepare(TITLES)
  let cached: { version: string; titles: readonly TitledSession[] } | undefined

  function* read(): Generator<TitledSession, void> {
    for (const row of all.iterate()) {
      const { artifact, title, at, first } = row as unknown as Omit<TitledSession, 'folded'> & {
        first: string | null
      }
      if (!isRepeated(title, first ?? undefined)) yield { artifact, title, folded: fold(title).text, at }
    }
  }

  return () => {
    const now = version()
    if (cached?.version === now) return cached.titles
    cached = undefined
    const titles: TitledSession[] = []
    let characters = 0
    for (const each of read()) {
      characters += each.title.length
      if (characters > MOST_CHARACTERS) return read()
      titles.push(each)
    }
    cached = { version: now, titles }
    return titles
  }
}
