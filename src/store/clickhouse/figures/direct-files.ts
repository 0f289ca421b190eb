import { largest, smallest } from '../../../model/lists.ts'
import { ifAllowed } from '../connection/connection.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { type Scope, shown } from '../scope.ts'
import type { Slots } from './columns.ts'

/** How many hashes are compared in one statement, which takes about 50 bytes of memory for each. */
const MOST_HASHES = 8_000_000
/** With more files whose sums are not used, the rows of all files are read: ids are part of statements. */
const MOST_FILES = 100_000

/** The files whose sums are not used for messages, and for replies, because only their rows tell. */
export interface DirectFiles {
  messages: readonly number[]
  replies: readonly number[]
}

/** Everything, or what is within some slots. */
type Span = Slots | undefined

/**
 * Finds the files without sums, those that share a message or a reply with others, and those with something
 * in a slot that lies only partly in the span. Returns undefined if the rows of all files have to be read.
 */
export function directFiles(scope: Scope, span: Span): DirectFiles | undefined {
  const { connection } = scope
  const missing = filesWithoutSums(scope)
  if (missing === undefined || missing.length > MOST_FILES) return undefined
  const cut = span === undefined || span.partial.length === 0 ? [] : filesInSlots(scope, span.partial)
  const [[messages, replies] = [0, 0]] = connection.select<[number, number]>(
    sql`SELECT sum(length(messages)), sum(length(replies)) FROM figure WHERE ${overlaps(span)}`,
  )
  const inSpan = keysOf('messages', overlaps(span), missing)
  const shared = sharing(scope, { of: inSpan, among: inSpan, count: messages })
  // A reply counts at the time of its copy with the most output, whenever that was.
  const repliesInSpan = keysOf('replies', overlaps(span), missing)
  const sharedReplies = sharing(scope, {
    of: repliesInSpan,
    among: span === undefined ? repliesInSpan : withKeys(keysOf('replies', raw('1'), missing), repliesInSpan),
    count: replies,
  })
  const of = (files: readonly number[]): number[] => [...new Set([...missing, ...cut, ...files])]
  const direct = { messages: of(shared), replies: of(sharedReplies) }
  return direct.messages.length + direct.replies.length > 2 * MOST_FILES ? undefined : direct
}

/**
 * Finds the files that share a reply with others, or have no sums. Returns undefined for users who may not
 * read sums, and if there are too many such files for a statement.
 */
export function sharingReplies(scope: Scope): readonly number[] | undefined {
  const missing = filesWithoutSums(scope)
  if (missing === undefined || missing.length > MOST_FILES) return undefined
  const all = keysOf('replies', raw('1'), missing)
  const [[count] = [0]] = scope.connection.select<[number]>('SELECT sum(length(replies)) FROM figure')
  const files = [...new Set([...missing, ...sharing(scope, { of: all, among: all, count })])]
  return files.length > MOST_FILES ? undefined : files
}

/** Whether a row of `figure` may have something within a span. */
const overlaps = (span: Span): Raw =>
  raw(
    span === undefined ? '1' : sql`(last >= ${lowest(span)} AND first <= ${largest(span.partial, span.end)})`,
  )

const lowest = ({ first, partial }: Slots): number => smallest([first, ...partial])

/** Undefined for users who may not read sums, because they got their rights before there were any. */
const filesWithoutSums = (scope: Scope): number[] | undefined =>
  ifAllowed(() =>
    scope.connection
      .select<[number]>(
        sql`SELECT id FROM artifact FINAL WHERE ${shown(scope)}
          AND (id, written) NOT IN (SELECT artifact, version FROM figure) LIMIT ${MOST_FILES + 1}`,
      )
      .map(([id]) => id),
  )

const filesInSlots = ({ connection }: Scope, slots: readonly number[]): number[] =>
  connection
    .select<[number]>(
      sql`SELECT DISTINCT artifact FROM figure WHERE hasAny(arrayConcat(spoken.slot, spent.slot), [${raw(slots.join(', '))}])`,
    )
    .map(([id]) => id)

/** Hashes of messages, or replies, with their files. Those of files without sums come from their rows. */
function keysOf(what: 'messages' | 'replies', inTime: Raw, missing: readonly number[]): Raw {
  const rows =
    what === 'messages'
      ? sql`SELECT artifact, cityHash64(record, digest) AS key FROM item WHERE artifact IN ${missing}`
      : sql`SELECT artifact, reply AS key FROM usage WHERE artifact IN ${missing}`
  const summed = sql`SELECT artifact, arrayJoin(${raw(what)}) AS key FROM figure WHERE ${inTime}`
  return raw(missing.length === 0 ? `(${summed})` : `(${summed} UNION ALL ${rows})`)
}

const withKeys = (keys: Raw, wanted: Raw): Raw =>
  raw(sql`(SELECT artifact, key FROM ${keys} WHERE key IN (SELECT key FROM ${wanted}))`)

/** The files of some keys that other files have, too. Rows that were replaced may add some. */
function sharing(scope: Scope, { of, among, count }: { of: Raw; among: Raw; count: number }): number[] {
  const slices = Math.max(1, Math.ceil(count / MOST_HASHES))
  return Array.from({ length: slices }, (_, slice) => {
    const inSlice = raw(slices === 1 ? '1' : sql`positiveModulo(key, ${slices}) = ${slice}`)
    return scope.connection
      .select<[number]>(
        sql`SELECT DISTINCT artifact FROM ${of} WHERE ${inSlice} AND key IN (
          SELECT key FROM ${among} WHERE ${inSlice} GROUP BY key HAVING min(artifact) < max(artifact))`,
      )
      .map(([id]) => id)
  }).flat()
}
