import type { DatabaseSync } from 'node:sqlite'
import { finish } from '../../model/iteration.ts'
import { noFilters, type Query } from '../../search/query.ts'
import { SPEAKERS } from '../stored.ts'
import { createCandidates, EVERYTHING } from './candidates.ts'
import { CUT_ORDER } from './cuts.ts'
import { type Restriction, restrict } from './restriction.ts'
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
}

/**
 * Finds where the matches of a query are in one session. Reads the index, and texts only where it is not
 * exact.
 * The items of the last session are cached for the next letter of a query.
 */
export function createPositions(database: DatabaseSync) {
  // One aggregated row is cheaper than one row for each message.
  const lists = (column: string) => ({
    own: database.prepare(`SELECT group_concat(item) AS list FROM (SELECT ${column} AS item FROM occurrence o
      WHERE o.artifact = :id AND o.generation = :generation ORDER BY o.line, o.place)`),
    cut: database.prepare(`SELECT group_concat(item) AS list FROM (SELECT ${column} AS item FROM cut c
      JOIN occurrence o ON o.artifact = c.artifact AND o.generation = c.generation AND o.line < c.line
      WHERE c.artifact = ? ORDER BY ${CUT_ORDER.join(', ')})`),
  })
  const messages = lists('o.message')
  const speakers = lists('coalesce(o.who, -1)')
  const sql = {
    file: database.prepare('SELECT id, generation, total_changes() AS own FROM artifact WHERE path = ?'),
    others: database.prepare('PRAGMA data_version'),
  }
  let last: Items | undefined

  return {
    positions(path: string, query: Query): number[] {
      const file = sql.file.get(path) as File | undefined
      if (!file) return []
      const of = JSON.stringify([file, sql.others.get()])
      if (last?.of !== of) last = { of, ids: numbersOf(messages, file) }
      const { ids } = last
      if (ids.length === 0) return []
      const isFound = matching(query, ids)
      if (!namesSpeaker(query)) return positionsOf(ids, isFound)
      // The index knows who sends a message in the file that has it first. Here it may be another.
      last.speakers ??= numbersOf(speakers, file)
      const own = last.speakers
      const rest = withoutSpeaker(query)
      const isFoundOfAnyone = isEverything(rest) ? () => true : matching(rest, ids)
      const isWanted = SPEAKERS.map((speaker) => isOf(query, speaker))
      return positionsOf(ids, (id, position) => {
        const speaker = own[position]!
        return speaker < 0 ? isFound(id, position) : isWanted[speaker]! && isFoundOfAnyone(id, position)
      })
    },
  }

  /** What is cut off comes first. */
  function numbersOf({ own, cut }: ReturnType<typeof lists>, { id, generation }: File): number[] {
    const parts = [cut.get(id)!.list, own.get({ id, generation })!.list].filter((list) => list !== null)
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

function positionsOf(ids: readonly number[], isFound: Found): number[] {
  const positions: number[] = []
  for (let position = 0; position < ids.length; position++)
    if (isFound(ids[position]!, position)) positions.push(position)
  return positions
}

/** Whether a query selects by more than what it excludes. */
const isNarrowed = ({ expressions, conditions, holds, span }: Restriction): boolean =>
  expressions.length > 0 || conditions.length > 0 || holds !== undefined || span !== undefined

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
