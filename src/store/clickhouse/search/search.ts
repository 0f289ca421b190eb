import type { Steps } from '../../../model/iteration.ts'
import { fold } from '../../../search/characters.ts'
import { createScorer } from '../../../search/match.ts'
import type { Node, Query } from '../../../search/query.ts'
import type { Piece } from '../../../search/words.ts'
import { searchRelaxed } from '../../relaxed.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from '../../search.ts'
import {
  byScore,
  isRepeated,
  matchingTitles,
  type Rank,
  type SearchSource,
  SPEAKING,
  type TitledSession,
  titleHitAt,
} from '../../search-source.ts'
import type { StoredMessage } from '../../stored.ts'
import { ifAllowed } from '../connection/connection.ts'
import { raw, sql } from '../connection/literal.ts'
import { cutLinesOf } from '../read/messages.ts'
import { ITEM_COLUMNS, type ItemValues, messageNumber, storedMessage, timeIn } from '../read/well-formed.ts'
import { filesOf, IS_OF_STORE, IS_REMOVED, type Scope, shownPath, shownProject } from '../scope.ts'
import { type Candidate, candidates, itemsAt, newestFirst, type RowKey } from './candidates.ts'
import {
  type Condition,
  closeTogether,
  createSessionFacts,
  EVERYTHING,
  isOneWord,
  type Restriction,
  restrict,
  wordsCondition,
} from './conditions.ts'
import { fitting, type TokensWith, tokenList, withTokens } from './tokens.ts'

/** Searches the messages of a store. */
export function createSearcher(scope: Scope) {
  const facts = createSessionFacts(scope)
  return {
    facts,
    *search(request: SearchRequest): Steps<SearchAnswer> {
      const limits = restrict(scope, request, facts)
      return yield* request.relaxed
        ? searchRelaxed(sourceOf(scope, limits), request)
        : search(scope, request, limits)
    },
  }
}

/** What ClickHouse does for a relaxed search within some limits. */
function sourceOf(scope: Scope, limits: Restriction): SearchSource {
  const known = new Map<number, Candidate>()
  const find = function* (words: Node, most: number): Steps<Candidate[]> {
    const condition = withTokens(scope, (tokens) => wordsCondition(words, false, tokens))
    return condition ? yield* candidates(scope, condition, limits, most) : []
  }
  return {
    isEmpty: limits.empty,
    search: (request) => search(scope, request, limits),
    *latest(words, count) {
      const found = yield* find(words, count)
      for (const each of found) known.set(each.message, each)
      return { ids: found.map(({ message }) => message), total: found.length }
    },
    ownersOf: (ids) =>
      new Map(
        ids.flatMap((id) => {
          const each = known.get(id)
          return each ? [[id, { session: each.owner, isAside: !SPEAKING.has(each.who) }]] : []
        }),
      ),
    lengthsOf(ids) {
      const texts = textsOf(
        scope,
        ids.flatMap((id) => known.get(id) ?? []),
      )
      return new Map([...texts].map(([id, { text, target = '' }]) => [id, text.length || target.length]))
    },
    positionsIn(session, isWanted) {
      const found = [...known.values()].flatMap((each) =>
        each.owner === session && isWanted(each.message)
          ? [{ message: each.message, position: firstKey(each).line }]
          : [],
      )
      return { length: found.length, found: found.sort((one, other) => one.position - other.position) }
    },
    size() {
      const [[messages, sessions] = [0, 0]] = scope.connection.select<[number, number]>(
        sql`SELECT toFloat64((SELECT count() FROM item)), toFloat64((SELECT count() FROM artifact))`,
      )
      return { messages, sessions }
    },
    *count(words, most) {
      return (yield* find(words, most)).length
    },
    best: (ids, request, rank) =>
      best(
        scope,
        ids.flatMap((id) => known.get(id) ?? []),
        request,
        limits,
        rank,
      ),
    vocabulary: ({ least, most }, pieces) => wordsWith(scope, { least, most }, pieces),
    ...titlesWithin(scope, limits),
  }
}

/** How many of the newest matches are ranked. */
const CANDIDATES = 400
/** How many matches are added that other signs make promising, however old they are. */
const EXTRA = 100
/** With more matches than this, the newest ones include enough with adjacent words. */
const SOME = 1200
/**
 * Messages read and ranked per step. Each step is a statement, which takes some time however little it reads.
 */
const STEP = 500
/** If there are no more matches, everything about them is read at once. */
const FEW = 40
/** Hits that are loaded together. */
const SHOWN = 20
/** Counting stops at this number. */
const COUNTED = 5000

const NOTHING: SearchAnswer = { hits: [], total: 0, more: false, widened: false, sessions: () => new Map() }

interface Found {
  messages: Candidate[]
  total: number
  more: boolean
}

const NONE: Found = { messages: [], total: 0, more: false }

/** Ranked hits. Whole words come first. If there are few, words that contain the terms follow. */
function* search(scope: Scope, request: SearchRequest, limits: Restriction): Steps<SearchAnswer> {
  const { query, limit, enough = limit, sort } = request
  if (limits.empty) return NOTHING
  const count = Math.max(CANDIDATES, limit)
  const most = Math.max(count, COUNTED)
  const find = function* (words: Condition): Steps<Found> {
    const messages = yield* candidates(scope, words, limits, most + 1)
    return { messages, total: Math.min(messages.length, most), more: messages.length > most }
  }
  const { words } = query
  const exact = words ? withTokens(scope, (tokens) => wordsCondition(words, false, tokens)) : EVERYTHING
  const whole = exact ? yield* find(exact) : NONE
  const loose = whole.total < enough && words ? looseCondition(scope, words) : undefined
  const wider = loose && loose.sql !== exact?.sql ? yield* find(loose) : NONE
  const found = wider.total === 0 ? whole : both(whole, wider, most)
  const widened = found.total > whole.total
  if (found.total === 0) return NOTHING
  const messages = new Map(found.messages.slice(0, count).map((each) => [each.message, each] as const))
  if (!widened && words && exact && found.total > count && sort !== 'newest') {
    const near = found.total > SOME ? undefined : closeTogether(words)
    const human = found.messages.filter(({ who }) => who === 'human').slice(0, EXTRA)
    const promising = near
      ? yield* candidates(scope, { ...exact, sql: `${exact.sql} AND ${near}` }, limits, EXTRA)
      : []
    for (const each of [...promising, ...human]) messages.set(each.message, each)
  }
  return {
    ...(yield* best(scope, [...messages.values()], request, limits)),
    total: found.total,
    more: found.more,
    widened,
  }
}

/** What also matches inside words. Of a query of one word, without the messages that have it as a whole. */
function looseCondition(scope: Scope, words: NonNullable<Query['words']>): Condition | undefined {
  const isOne = isOneWord(words)
  const others =
    (tokens: TokensWith): TokensWith =>
    (part, where) => {
      const known = tokens(part, where)
      return known && new Map([...known].filter(([token]) => token !== part))
    }
  return withTokens(scope, (tokens) => wordsCondition(words, true, isOne ? others(tokens) : tokens))
}

function both(one: Found, other: Found, most: number): Found {
  const all = new Map([...one.messages, ...other.messages].map((each) => [each.message, each]))
  return {
    messages: [...all.values()].sort(newestFirst).slice(0, most + 1),
    total: Math.min(all.size, most),
    more: one.more || other.more || all.size > most,
  }
}

/** Ranks the candidates, loads them, and counts matches per session. */
function* best(
  scope: Scope,
  messages: readonly Candidate[],
  { query, limit, now, sort }: SearchRequest,
  limits: Restriction,
  rank: Rank = byScore,
): Steps<Pick<SearchAnswer, 'hits' | 'sessions'>> {
  const scorer = createScorer(query)
  const rows: { at: number; candidate: Candidate }[] = []
  const scores = new Map<number, number>()
  const sessions = new Map<string, number>()
  if (messages.length === 0) return { hits: [], sessions: () => sessions }
  const all = messages.length > FEW ? undefined : occurrencesOf(scope, messages)
  for (let from = 0; from < messages.length; from += STEP) {
    yield
    const some = messages.slice(from, from + STEP)
    const texts = all ? firstTexts(all) : textsOf(scope, some)
    for (const candidate of some) {
      const found = texts.get(candidate.message)
      // It has been removed since it was found.
      if (!found) continue
      const { path, text, target, at } = found
      sessions.set(path, (sessions.get(path) ?? 0) + 1)
      scores.set(candidate.message, scorer({ text, who: candidate.who, at, target }, now))
      rows.push({ at: at ?? 0, candidate })
    }
  }
  const rankOf = rank(scores)
  const ranked = rows.map((row) => ({ ...row, score: rankOf(row.candidate.message) }))
  ranked.sort((a, b) =>
    sort === 'newest'
      ? b.at - a.at || b.score - a.score || newestFirst(a.candidate, b.candidate)
      : b.score - a.score || b.at - a.at || newestFirst(a.candidate, b.candidate),
  )
  return {
    hits: {
      *[Symbol.iterator]() {
        for (let from = 0; from < Math.min(ranked.length, limit); from += SHOWN) {
          const some = ranked.slice(from, Math.min(from + SHOWN, limit))
          const occurrences =
            all ??
            occurrencesOf(
              scope,
              some.map(({ candidate }) => candidate),
            )
          for (const { score, candidate } of some) {
            const found = hitOf(occurrences.get(candidate.message) ?? [], limits)
            if (found) yield { ...found, score }
          }
        }
      },
    },
    sessions: () => sessions,
  }
}

type FirstValues = [
  device: string,
  path: string,
  platform: string,
  agent: string,
  session: string,
  project: string | null,
  folder: string | null,
  gone: number | null,
  ...ItemValues,
]

/** The titles of sessions, within the filters of a request. */
function titlesWithin(scope: Scope, limits: Restriction): Pick<SearchSource, 'titles' | 'titleHit'> {
  const { connection } = scope
  let read: readonly TitledSession[] | undefined
  const titles = (): readonly TitledSession[] => {
    read ??= connection
      .select<[number, string, number | null, string | null]>(
        sql`SELECT id, JSONExtractString(row, 'title') AS title,
          JSONExtract(row, 'lastActivityMs', 'Nullable(Float64)'),
          JSONExtract(row, 'firstHuman', 'Nullable(String)') FROM artifact FINAL
          WHERE title <> '' AND ${scope.current()} ORDER BY title`,
      )
      .flatMap(([artifact, title, at, first]) =>
        isRepeated(title, first ?? undefined)
          ? []
          : [{ artifact, title, at: timeIn(at) ?? null, folded: fold(title).text }],
      )
    return read
  }
  return {
    titles: (request, fits) => matchingTitles(titles, request, limits, fits),
    titleHit(titled) {
      const [first] = connection.select<FirstValues>(
        sql`SELECT a.device, a.path, a.platform, a.agent, a.session, a.project, a.folder, a.gone, ${raw(ITEM_COLUMNS)}
          FROM (SELECT * FROM item FINAL WHERE artifact = ${titled.artifact}) AS i
          INNER JOIN (SELECT * FROM artifact FINAL WHERE id = ${titled.artifact}) AS a
            ON a.id = i.artifact AND a.generation = i.generation ORDER BY i.prompt DESC, i.line, i.place LIMIT 1`,
      )
      if (!first) return undefined
      const [device, path, platform, agent, session, project, folder, gone, ...values] = first
      return titleHitAt(titled, storedMessage(values as unknown as ItemValues), {
        session,
        platform,
        agent,
        path: shownPath(scope, device, path),
        project: shownProject(scope, project, folder),
        ...(gone === null ? {} : { goneMs: timeIn(gone) ?? 0 }),
      })
    },
  }
}

/** What a message is ranked by, in the file that has had it longest. */
interface RankedText {
  /** Of the file. */
  path: string
  text: string
  /** What a tool was called with. */
  target: string | undefined
  /** In ms. */
  at: number | undefined
}

type TextValues = [
  record: number,
  digest: number,
  device: string,
  path: string,
  text: string,
  target: string | null,
  at: number | null,
]

const TEXT_COLUMNS = `i.artifact AS artifact, i.record AS record, i.digest AS digest, i.at AS at,
  ifNull(i.text, '') AS said, if(isNull(i.tool), NULL, i.target) AS called`

/**
 * The texts of some messages, by the number of the message. Reading few columns of one copy each takes half
 * the time of reading all of them.
 */
function textsOf(scope: Scope, messages: readonly Candidate[]): Map<number, RankedText> {
  const owners = [...new Set(messages.map(({ owner }) => owner))]
  const rows = scope.connection.select<TextValues>(
    sql`SELECT i.record, i.digest, a.device, a.path, i.said, i.called, i.at
      FROM (${itemsAt(TEXT_COLUMNS, messages.map(firstKey))}) AS i
      INNER JOIN (SELECT id, device, path FROM artifact FINAL WHERE id IN ${owners}) AS a ON a.id = i.artifact`,
  )
  return new Map(
    rows.map(([record, digest, device, path, text, target, at]) => [
      messageNumber(record, digest),
      { path: shownPath(scope, device, path), text, target: target ?? undefined, at: timeIn(at) },
    ]),
  )
}

/** The same of messages of which all positions are known. */
const firstTexts = (all: ReadonlyMap<number, readonly Occurrence[]>): Map<number, RankedText> =>
  new Map(
    [...all].map(([message, [first]]) => {
      const { path, text = '', tool, at } = first!
      return [message, { path, text, target: tool?.target, at }]
    }),
  )

/** The first of its keys in the file that has had it longest. */
function firstKey({ owner, keys }: Candidate): RowKey {
  let first: RowKey | undefined
  for (const key of keys)
    if (key.artifact === owner && (first === undefined || isBefore(key, first))) first = key
  return first!
}

const isBefore = (one: RowKey, other: RowKey): boolean =>
  (one.generation - other.generation || one.line - other.line || one.order - other.order) < 0

/** A message at one of its positions. */
interface Occurrence extends StoredMessage {
  artifact: number
  path: string
  platform: string
  agent: string
  session: string
  project: string | null
  generation: number
  /** When the file, or the message in it, was found missing. */
  gone: number | null
}

/** The maximum number of copies that are listed. */
const MOST_COPIES = 20

type OccurrenceValues = [
  artifact: number,
  device: string,
  path: string,
  platform: string,
  agent: string,
  session: string,
  project: string | null,
  folder: string | null,
  generation: number,
  gone: number | null,
  /** The parts that were cut off its file, if it is in one. */
  cuts: string,
  ...ItemValues,
]

/** The columns that `storedMessage` needs, and those that say where a row is. */
const OCCURRENCE_COLUMNS = `${ITEM_COLUMNS}, i.artifact, i.generation`.replaceAll(/i\.(\w+)/g, 'i.$1 AS $1')

/**
 * All positions of some messages, by the number of the message. Those in the file that it belongs to are
 * first.
 */
function occurrencesOf(scope: Scope, messages: readonly Candidate[]): Map<number, Occurrence[]> {
  const files = [...new Set(messages.flatMap(({ keys }) => keys.map(({ artifact }) => artifact)))]
  const rows = scope.connection.select<OccurrenceValues>(
    sql`SELECT i.artifact, a.device, a.path, a.platform, a.agent, a.session, a.project, a.folder, i.generation,
      coalesce(a.gone, if(i.generation < a.generation, a.modified, NULL)),
      if(i.generation < a.generation AND NOT ${IS_REMOVED}, a.cuts, ''), ${raw(ITEM_COLUMNS)}
      FROM (${itemsAt(
        OCCURRENCE_COLUMNS,
        messages.flatMap(({ keys }) => keys),
      )}) AS i
      INNER JOIN ${filesOf(
        scope,
        'id, device, path, platform, agent, session, project, folder, gone, generation, cuts, modified',
        files,
      )} ON a.id = i.artifact AND ${IS_OF_STORE} ORDER BY a.age, i.generation, i.line, i.place`,
  )
  const found = new Map<number, Occurrence[]>()
  const cutLines = new Map<number, ReturnType<typeof cutLinesOf>>()
  for (const [
    artifact,
    device,
    path,
    platform,
    agent,
    session,
    project,
    folder,
    generation,
    gone,
    cuts,
    ...values
  ] of rows) {
    const message = storedMessage(values as unknown as ItemValues)
    if (cuts !== '') {
      const lines = cutLines.get(artifact) ?? cutLinesOf(scope, { id: artifact, cuts })
      cutLines.set(artifact, lines)
      message.line = lines({ generation, line: message.line })
    }
    let all = found.get(message.message)
    if (!all) {
      all = []
      found.set(message.message, all)
    }
    all.push({
      ...message,
      artifact,
      path: shownPath(scope, device, path),
      platform,
      agent,
      session,
      project: shownProject(scope, project, folder) ?? null,
      generation,
      gone: gone === null ? null : (timeIn(gone) ?? 0),
    })
  }
  return found
}

/** A message at its best position: in a requested file that still exists, otherwise at its first one. */
function hitOf(
  occurrences: readonly Occurrence[],
  { shown: wantedFiles, hidden }: Restriction,
): Omit<SearchHit, 'score'> | undefined {
  const [own, ...others] = occurrences
  if (!own) return undefined
  others.sort((one, other) =>
    one.path === other.path
      ? other.generation - one.generation || one.line - other.line
      : one.path < other.path
        ? -1
        : 1,
  )
  const all = [own, ...others.slice(0, MOST_COPIES)].filter(({ artifact }) => !hidden?.has(artifact))
  const wanted = all.filter(({ artifact }) => wantedFiles?.has(artifact) !== false)
  const best = wanted.find(({ gone }) => gone === null) ?? wanted[0] ?? all[0]
  if (!best) return undefined
  const { artifact, generation, gone, project, ...message } = best
  return {
    ...message,
    project: project ?? undefined,
    copies: all.flatMap((each) => (each === best ? [] : { path: each.path, line: each.line })),
    ...(gone === null ? {} : { goneMs: gone }),
  }
}

/** Words of messages with one of some pieces. */
function wordsWith(
  scope: Scope,
  { least, most }: { least: number; most: number },
  pieces: readonly Piece[],
): string[] {
  const some = pieces.map(({ text, where }) => fitting(text, where)).join(' OR ')
  return (
    ifAllowed(() =>
      scope.connection.select<[string]>(
        sql`SELECT DISTINCT token FROM ${tokenList(scope)}
          WHERE lengthUTF8(token) BETWEEN ${least} AND ${most} AND (${raw(some)})`,
      ),
    ) ?? []
  ).map(([token]) => token)
}
