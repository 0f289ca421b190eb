import type { Steps } from '../../../model/iteration.ts'
import { LAST_MS } from '../../../model/json.ts'
import type { Who } from '../../../model/session.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { messageNumber } from '../read/well-formed.ts'
import { filesOf, IS_OF_STORE, type Scope, SPEAKER } from '../scope.ts'
import type { Condition, Restriction } from './conditions.ts'

/** Where a row of a message is. */
export interface RowKey {
  artifact: number
  generation: number
  line: number
  order: number
}

/** A message that matches. */
export interface Candidate {
  record: number
  digest: number
  /** The number of the message in answers. */
  message: number
  who: Who
  /** That of its newest copy, which orders messages: see the column. */
  moment: bigint
  /** The file that it belongs to; see `filesOf`. */
  owner: number
  /** That of the file, which orders files. */
  age: string
  /** All of its rows. */
  keys: RowKey[]
}

type CandidateValues = [
  record: number,
  digest: number,
  who: Who,
  owner: number,
  age: string,
  moment: string,
  keys: [artifact: number, generation: number, line: number, order: number][],
]

const COLUMNS = `i.artifact AS artifact, i.generation AS generation, i.line AS line, i.place AS place, i.record AS record,
  i.digest AS digest, i.moment AS moment, i.who AS who`

/** If there may be more matching rows, a search begins with the newest months. */
const MANY = 30_000

/**
 * The newest messages that match a condition on words, within the filters of a request. If there are many,
 * searches the newest months first, until there are enough messages.
 */
export function* candidates(
  scope: Scope,
  words: Condition,
  limits: Restriction,
  most: number,
): Steps<Candidate[]> {
  const found: Candidate[] = []
  if (limits.empty) return found
  const known = new Map<number, Candidate>()
  const memories = new Set<number>()
  const isFew = Math.min(words.rows, scope.overview().items) <= MANY
  const rows = isFew || limits.within === undefined ? limits.rows : [...limits.rows, limits.within]
  const slices = isFew ? everything() : slicesFrom(limits.newest, limits.oldest)
  let slice = slices.next()
  while (!slice.done) {
    yield
    const missing = most - found.length
    const some = inSlice(
      scope,
      words.sql,
      { ...limits, rows },
      { slice: slice.value, most: missing, memories },
    )
    for (const each of some) {
      const newer = known.get(each.message)
      if (newer) join(newer, each)
      else {
        known.set(each.message, each)
        found.push(each)
      }
    }
    slice = slices.next({ found: some.length, missing: missing - some.length })
  }
  return found.slice(0, most)
}

/** Copies of an older slice. Those of one message have the same time, unless a machine says otherwise. */
function join(message: Candidate, older: Candidate): void {
  const { who, owner, age, keys } = older
  if (BigInt(age) < BigInt(message.age)) Object.assign(message, { who, owner, age })
  message.keys = [...message.keys, ...keys]
}

/**
 * Copies of a message have the same time, except those of a memory document, which keeps its number when its
 * file changes. Its copies of all months are read together, and it counts where the newest one is.
 *
 * @param memories Those of newer slices. The ones of this slice are added.
 */
function inSlice(
  scope: Scope,
  words: string,
  limits: Restriction,
  { slice, most, memories }: { slice: Slice; most: number; memories: Set<number> },
): Candidate[] {
  const conditions = [words, ...limits.rows]
  for (let limit = most; ; limit *= 2) {
    const isAll = slice.from === undefined && slice.until === undefined
    const all = newest(scope, [...conditions, sliceCondition(slice).sql], limits, limit, !isAll)
    const parts = all.filter(({ who, message }) => who === 'memory' && !memories.has(message))
    const others = all.filter(({ who }) => who !== 'memory')
    const keys = parts.map(({ record, digest }) => `(${record}, ${digest})`).join(', ')
    const whole =
      isAll || parts.length === 0 ? parts : ofAllMonths(scope, conditions, limits, keys, parts.length)
    // Some memories may have taken the place of messages, and not match the filters as a whole.
    if (all.length === limit && others.length + whole.length < most) continue
    for (const { message } of parts) memories.add(message)
    return whole.length === 0 ? others : [...others, ...whole].sort(newestFirst).slice(0, most)
  }
}

/** Messages with these keys that match, with all of their copies, some of which may not match. */
function ofAllMonths(
  scope: Scope,
  conditions: readonly string[],
  limits: Restriction,
  keys: string,
  most: number,
): Candidate[] {
  const isOne = `(i.record, i.digest) IN (${keys})`
  const found = newest(scope, [...conditions, isOne], limits, most, false)
  const all = newest(scope, [isOne], { ...limits, messages: [] }, most, false)
  const copies = new Map(all.map(({ message, owner, age, keys }) => [message, { owner, age, keys }]))
  return found.map((each) => ({ ...each, ...copies.get(each.message) }))
}

export const newestFirst = (one: Candidate, other: Candidate): number =>
  Number(other.moment - one.moment) || one.record - other.record || one.digest - other.digest

/** Messages whose rows match. Of memory documents, also those whose other copies may match the filters. */
function newest(
  scope: Scope,
  conditions: readonly string[],
  { messages }: Pick<Restriction, 'messages'>,
  most: number,
  keepsMemories = true,
): Candidate[] {
  const having =
    messages.length === 0
      ? ''
      : `HAVING (${messages.join(' AND ')}) ${keepsMemories ? `OR speaker = 'memory'` : ''}`
  // The engine would read a column that nothing needs.
  const columns = having.includes('i.text') ? `${COLUMNS}, i.text AS text` : COLUMNS
  return scope.connection
    .select<CandidateValues>(
      sql`SELECT i.record, i.digest, ${SPEAKER} AS speaker, argMin(i.artifact, a.age) AS owner,
          toString(min(a.age)) AS age, toString(max(i.moment)),
          groupArray((i.artifact, i.generation, i.line, i.place)) AS keys
        FROM (SELECT ${raw(columns)} FROM item AS i FINAL WHERE ${raw(conditions.join(' AND '))}) AS i
        INNER JOIN ${filesOf(scope, 'id, generation')} ON a.id = i.artifact AND ${IS_OF_STORE}
        GROUP BY i.record, i.digest ${raw(having)} ORDER BY max(i.moment) DESC, i.record, i.digest LIMIT ${most}`,
    )
    .map(candidate)
}

function candidate([record, digest, who, owner, age, moment, keys]: CandidateValues): Candidate {
  return {
    record,
    digest,
    message: messageNumber(record, digest),
    who,
    moment: BigInt(moment),
    owner,
    age,
    keys: keys.map(([artifact, generation, line, order]) => ({ artifact, generation, line, order })),
  }
}

/** The rows at some keys, with some columns, as a part of a statement. */
export function itemsAt(columns: string, keys: readonly RowKey[]): Raw {
  const tuples = keys.map(
    ({ artifact, generation, line, order }) => `(${artifact}, ${generation}, ${line}, ${order})`,
  )
  return raw(
    `SELECT ${columns} FROM item AS i FINAL PREWHERE (i.artifact, i.generation, i.line, i.place) IN (${tuples.join(', ')})`,
  )
}

/** A span of whole months (UTC), in ms. Without `from`, it also has messages without a time. */
interface Slice {
  from?: number
  /** Exclusive. */
  until?: number
}

/** The first slice has at least this many days, because a month may have just begun. */
const DAYS = 15
const DAY_MS = 86_400_000
/** Each slice has at most so many times the months of the one before, which may have had few messages. */
const GROWTH = 6
/** After a slice of this many months, all that are left are searched at once. */
const MOST_MONTHS = 6
/** Earlier times of messages are mistakes, and share a slice with those that have none. */
const EARLIEST_MS = Date.UTC(2000, 0, 1)

/** How far a search has come. */
interface Progress {
  /** The number of messages that the last slice had. */
  found: number
  /** How many are still wanted. */
  missing: number
}

/** All times at once. */
function* everything(): Generator<Slice, void, Progress> {
  yield {}
}

/**
 * Slices of time from the newest to the oldest, which together have every message. The first one ends in the
 * future. Each further one has about as many months as the messages so far make likely. The last one, which a
 * rare word reaches third, has all that are left.
 *
 * @param newest When the newest messages are expected, in ms
 * @param oldest When the oldest messages that are wanted were written, in ms
 * @example
 * const slices = slicesFrom(Date.now())
 * for (let next = slices.next(); !next.done; next = slices.next({ found, missing })) search(next.value)
 */
function* slicesFrom(newest: number, oldest = Number.NEGATIVE_INFINITY): Generator<Slice, void, Progress> {
  let until: number | undefined
  let from = monthsBefore(newest - DAYS * DAY_MS, 0)
  let months = 1
  while (from >= EARLIEST_MS && from > oldest) {
    const { found, missing } = yield until === undefined ? { from } : { from, until }
    if (missing <= 0) return
    const isLast = months >= MOST_MONTHS
    months = Math.min(months * GROWTH, Math.max(1, Math.ceil((1.25 * months * missing) / found)))
    until = from
    from = isLast ? Number.NEGATIVE_INFINITY : monthsBefore(until, months)
  }
  yield until === undefined ? {} : { until }
}

/** The start of a month, so many months before the one with this time. */
function monthsBefore(at: number, months: number): number {
  const date = new Date(Math.min(at, LAST_MS))
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)
}

/** A slice as a condition on `i`. The engine skips granules with other times. */
function sliceCondition({ from, until }: Slice): Raw {
  const conditions = [
    ...(from === undefined ? [] : [sql`i.at >= ${from}`]),
    ...(until === undefined
      ? []
      : [from === undefined ? sql`(i.at < ${until} OR i.at IS NULL)` : sql`i.at < ${until}`]),
  ]
  return raw(conditions.length === 0 ? '1' : conditions.join(' AND '))
}
