import type { DatabaseSync } from 'node:sqlite'
import { finish } from '../../model/iteration.ts'
import { noFilters, type Query } from '../../search/query.ts'
import { SPEAKERS } from '../stored.ts'
import { createCandidates, EVERYTHING } from './candidates.ts'
import { restrict } from './restriction.ts'
import { inParts } from './search.ts'

/** More messages than a file can have. */
const ALL = 0x7fff_ffff

interface File {
  id: number
  generation: number
}

/**
 * Finds where the matches of a query are in one file. Reads the index, and texts only where it is not exact.
 */
export function createPositions(database: DatabaseSync) {
  const sql = {
    file: database.prepare('SELECT id, generation FROM artifact WHERE path = ?'),
    // One aggregated row is cheaper than one row for each message.
    items: database.prepare(`SELECT '[' || group_concat(message) || ']' AS messages,
      '[' || group_concat(coalesce(who, -1)) || ']' AS speakers FROM (SELECT message, who FROM occurrence
        WHERE artifact = :id AND generation = :generation ORDER BY line, place)`),
  }

  return {
    positions(path: string, query: Query): number[] {
      const file = sql.file.get(path) as File | undefined
      const { messages, speakers } = file ? sql.items.get({ ...file })! : { messages: null }
      if (messages === null) return []
      const ids = JSON.parse(String(messages)) as number[]
      const found = matching(query, ids)
      if (!namesSpeaker(query)) return positionsOf(ids, (id) => found.has(id))
      // The index knows who sends a message in the file that has it first. Here it may be another.
      const own = JSON.parse(String(speakers)) as number[]
      const rest = withoutSpeaker(query)
      const ofAnyone = isEverything(rest) ? undefined : matching(rest, ids)
      return positionsOf(ids, (id, position) => {
        const speaker = SPEAKERS[own[position]!]
        if (!speaker) return found.has(id)
        return isOf(query, speaker) && (ofAnyone?.has(id) ?? true)
      })
    },
  }

  /** The ids of messages that match, at least of those with ids in the range of a file. */
  function matching(query: Query, ids: readonly number[]): Set<number> {
    const limits = restrict(database, { query, deleted: true, backups: true }, () => [])
    const parts = query.words ? inParts(database, query.words, limits) : { expression: EVERYTHING, limits }
    if (limits.empty || !parts) return new Set()
    const { span = { first: 0, last: ALL } } = limits
    let { first, last } = { first: ALL, last: 0 }
    for (const id of ids) {
      if (id < first) first = id
      if (id > last) last = id
    }
    const within = { first: Math.max(first, span.first), last: Math.min(last, span.last) }
    if (within.first > within.last) return new Set()
    const candidates = createCandidates(database, parts.expression, { ...parts.limits, span: within })
    return new Set(finish(candidates.latest({ count: ALL, most: ALL })).ids)
  }
}

function positionsOf(ids: readonly number[], isFound: (id: number, position: number) => boolean): number[] {
  const positions: number[] = []
  for (let position = 0; position < ids.length; position++)
    if (isFound(ids[position]!, position)) positions.push(position)
  return positions
}

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
