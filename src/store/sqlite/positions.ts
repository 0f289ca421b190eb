import type { DatabaseSync } from 'node:sqlite'
import { finish } from '../../model/iteration.ts'
import { fold } from '../../search/characters.ts'
import { createFoldedMatcher } from '../../search/match.ts'
import { asksForErrors, type Node, noFilters, type Query } from '../../search/query.ts'
import { tokensOf } from '../../search/words.ts'
import { SPEAKERS, speakerNumber } from '../stored.ts'
import { createCandidates, EVERYTHING, isShort } from './candidates.ts'
import { CUT_ORDER } from './cuts.ts'
import { IN_CUT } from './occurrences.ts'
import { casesOf, type Restriction, restrict } from './restriction.ts'
import { inParts } from './search.ts'

/** More messages than a session can have. */
const ALL = 0x7fff_ffff

interface File {
  id: number
  generation: number
  /** The changes of this connection. */
  own: number
}

/** Whether an item is found, by the id of its message and its position. */
type Found = (id: number, position: number) => boolean

/** The items of a session in order. */
interface Items {
  /** The store as it was then. */
  of: string
  ids: readonly number[]
  /** Who sends an item in this file, or -1 as the index says. */
  speakers?: readonly number[]
  /** Their texts, folded. None if they are too long. */
  texts?: readonly string[]
  /** The targets of its tools, in lower case as SQLite has it. */
  targets?: readonly (string | null)[]
}

/** A session whose texts are longer, in bytes, is searched in the index. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Finds where the matches of a query are in one session. Words are searched in its texts, which takes the
 * same time however large the store is: the index joins the lists of all words that begin with a letter.
 * Filters are looked up in the index, and so are the words of a very long session. The items of the last
 * session are cached for the next letter of a query.
 */
export function createPositions(database: DatabaseSync, mostBytes = MOST_BYTES) {
  const select = (columns: string, join = '') => ({
    own: `SELECT ${columns} FROM occurrence o ${join}
      WHERE o.artifact = :id AND o.generation = :generation ORDER BY o.line, o.place`,
    cut: `SELECT ${columns} FROM cut c
      JOIN occurrence o ON o.artifact = c.artifact AND o.generation = c.generation AND ${IN_CUT} ${join}
      WHERE c.artifact = :id AND :generation = :generation ORDER BY ${CUT_ORDER.join(', ')}`,
  })
  // One aggregated row is cheaper than one row for each message.
  const lists = (column: string) => {
    const { own, cut } = select(`${column} AS item`)
    const list = (sql: string) => database.prepare(`SELECT group_concat(item) AS list FROM (${sql})`)
    return { own: list(own), cut: list(cut) }
  }
  const messages = lists('o.message')
  const speakers = lists('coalesce(o.who, -1)')
  // What the index has of a message.
  const texts = select("coalesce(m.text, m.target, '') AS text", 'JOIN message m ON m.id = o.message')
  const sql = {
    file: database.prepare('SELECT id, generation, total_changes() AS own FROM artifact WHERE path = ?'),
    others: database.prepare('PRAGMA data_version'),
    bytes: database.prepare(`SELECT sum(octet_length(text)) AS bytes FROM (${texts.own})`),
    texts: [texts.cut, texts.own].map((text) => database.prepare(text)),
  }
  const targets = select(
    `CASE m.who WHEN ${speakerNumber('tool')} THEN lower(m.target) END AS target`,
    'JOIN message m ON m.id = o.message',
  )
  const targetsOf = [targets.cut, targets.own].map((sql) => database.prepare(sql))
  for (const statement of [...sql.texts, ...targetsOf]) statement.setReturnArrays(true)
  let last: Items | undefined

  return {
    positions(path: string, query?: Query): number[] {
      const file = sql.file.get(path) as File | undefined
      if (!file) return []
      const of = JSON.stringify([file, sql.others.get()])
      if (last?.of !== of) last = { of, ids: numbersOf(messages, file) }
      const { ids } = last
      if (ids.length === 0) return []
      if (query !== undefined && (namesPath(query) ? asksForErrors(query.filters) : !query.words))
        return withSpeakers(query, file, last)
      last.texts ??= textsOf(file)
      if (query === undefined) return []
      const { texts } = last
      if (texts.length === 0) return withSpeakers(query, file, last)
      const { words, ...others } = query
      const filters = withoutPaths(others)
      const found = isEverything(filters) ? undefined : new Set(withSpeakers(filters, file, last))
      const holds = words && createFoldedMatcher(asIndexed(words), true)
      const touches = namesPath(query) ? touching(query, file, last, texts) : undefined
      return positionsOf(
        ids,
        (_, position) =>
          (found?.has(position) ?? true) &&
          (touches?.(position) ?? true) &&
          (holds?.(texts[position]!) ?? true),
      )
    },
  }

  /** The same as the index has of paths, which joins the lists of all words that begin as they do. */
  function touching(
    { filters: { file: wanted, without } }: Query,
    file: File,
    items: Items,
    texts: readonly string[],
  ): (position: number) => boolean {
    items.targets ??= targetsOf.flatMap((statement) =>
      Array.from(
        statement.iterate({ id: file.id, generation: file.generation }),
        (row) => (row as unknown as [string | null])[0],
      ),
    )
    const { targets } = items
    const [begins, denied] = [wanted, without.file].map(pathMatcher)
    const cases = wanted.flatMap(casesOf)
    return (position) => {
      const target = targets[position]
      if (target == null) return wanted.length === 0
      if (denied?.(texts[position]!)) return false
      if (wanted.length === 0) return true
      return cases.some((each) => target.includes(each)) && begins?.(texts[position]!) === true
    }
  }

  /** The positions of what matches by the index, with the speakers of this file. */
  function withSpeakers(query: Query, file: File, items: Items): number[] {
    const { ids } = items
    const isFound = matching(query, ids)
    if (!namesSpeaker(query)) return positionsOf(ids, isFound)
    // The index knows who sends a message in the file that has it first. Here it may be another.
    items.speakers ??= numbersOf(speakers, file)
    const own = items.speakers
    const rest = withoutSpeaker(query)
    const isFoundOfAnyone = isEverything(rest) ? () => true : matching(rest, ids)
    const isWanted = SPEAKERS.map((speaker) => isOf(query, speaker))
    return positionsOf(ids, (id, position) => {
      const speaker = own[position]!
      return speaker < 0 ? isFound(id, position) : isWanted[speaker]! && isFoundOfAnyone(id, position)
    })
  }

  /** The folded texts of a session in order. None if they are too long. */
  function textsOf({ id, generation }: File): string[] {
    if (Number(sql.bytes.get({ id, generation })!.bytes) > mostBytes) return []
    return sql.texts.flatMap((statement) =>
      Array.from(
        statement.iterate({ id, generation }),
        (row) => fold(String((row as unknown as [string])[0])).text,
      ),
    )
  }

  /** What is cut off comes first. */
  function numbersOf({ own, cut }: ReturnType<typeof lists>, { id, generation }: File): number[] {
    const parts = [cut.get({ id, generation })!.list, own.get({ id, generation })!.list].filter(
      (list) => list !== null,
    )
    return JSON.parse(`[${parts.join()}]`) as number[]
  }

  /** Compares with the ids of all messages that match, at least of those in the range of these. */
  function matching(query: Query, ids: readonly number[]): Found {
    const limits = restrict(database, { query, deleted: true, backups: true }, () => [])
    const parts = query.words ? inParts(database, query.words, limits) : { expression: EVERYTHING, limits }
    if (limits.empty || !parts) return () => false
    const { span = { first: 0, last: ALL } } = limits
    let { first, last } = { first: ALL, last: 0 }
    for (const id of ids) {
      if (id < first) first = id
      if (id > last) last = id
    }
    const within = { first: Math.max(first, span.first), last: Math.min(last, span.last) }
    if (within.first > within.last) return () => false
    const { expression, limits: rest } = parts
    // The list of all messages takes longest. What is excluded alone is looked up instead.
    const isExcluded = expression === EVERYTHING && rest.denied.length > 0 && !isNarrowed(rest)
    const looked = isExcluded ? { expression: rest.denied.join(' OR '), denied: [] } : { expression }
    const candidates = createCandidates(database, looked.expression, { ...rest, ...looked, span: within })
    // A byte for each id is cheaper than a set.
    const found = new Uint8Array(last - first + 1)
    for (const id of finish(candidates.latest({ count: ALL, most: ALL })).ids) found[id - first] = 1
    const wanted = isExcluded ? 0 : 1
    return (id) => found[id - first] === wanted
  }
}

/** The index finds one or two letters at the beginning of words only: inside, they are everywhere. */
function asIndexed(node: Node): Node {
  if ('any' in node) return { any: node.any.map(asIndexed) }
  if ('all' in node) return { all: node.all.map(asIndexed) }
  if ('not' in node || !isShort(node.term.text)) return node
  return { term: { ...node.term, prefix: node.term.prefix || !node.term.phrase, phrase: true } }
}

function positionsOf(ids: readonly number[], isFound: Found): number[] {
  const positions: number[] = []
  for (let position = 0; position < ids.length; position++)
    if (isFound(ids[position]!, position)) positions.push(position)
  return positions
}

/** Whether a query selects by more than what it excludes. */
const isNarrowed = ({ expressions, conditions, holds, span }: Restriction): boolean =>
  expressions.length > 0 || conditions.length > 0 || holds !== undefined || span !== undefined

/** Whether a folded text has words in a row that begin as one of the paths. Undefined if none has any. */
function pathMatcher(paths: readonly string[]): ((folded: string) => boolean) | undefined {
  const any = paths
    .filter((path) => tokensOf(path).length > 0)
    .map((text) => ({ term: { text, phrase: true, prefix: true } }))
  return any.length === 0 ? undefined : createFoldedMatcher({ any })
}

const namesPath = ({ filters: { file, without } }: Query): boolean => file.length + without.file.length > 0

const withoutPaths = ({ filters, ...query }: Query): Query => ({
  ...query,
  filters: { ...filters, file: [], without: { ...filters.without, file: [] } },
})

/** Whether a query has neither words nor filters. */
const isEverything = ({ words, filters }: Query): boolean =>
  words === undefined && JSON.stringify(filters) === JSON.stringify(noFilters())

const namesSpeaker = ({ filters: { who, error, without } }: Query): boolean =>
  who.length + without.who.length > 0 || error || without.error

const withoutSpeaker = ({ filters, ...query }: Query): Query => ({
  ...query,
  filters: {
    ...filters,
    who: [],
    error: false,
    without: { ...filters.without, who: [], error: false },
  },
})

const isOf = ({ filters: { who, error, without } }: Query, speaker: (typeof SPEAKERS)[number]): boolean =>
  (who.length === 0 || who.includes(speaker)) &&
  (!error || speaker === 'error') &&
  !without.who.includes(speaker) &&
  !(without.error && speaker === 'error')
