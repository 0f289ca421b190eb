import { largest, smallest } from '../../../model/iteration.ts'
import { ifAllowed } from '../connection/connection.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { filesOf, type Scope, shown } from '../scope.ts'
import {
  COUNTED,
  countedReplies,
  firstItems,
  IS_SOUND,
  ownReplies,
  SLOT_MS,
  type Slots,
  SPOKEN_ITEMS,
  TIMELESS_SLOT,
  USAGE_PARTS,
  USAGE_SUMS,
  WRITTEN_ITEMS,
} from './stored.ts'

/** Whose messages have sums. */
const SUMMED = COUNTED.filter((who) => who !== 'program')

/** A span of time, with the slots that are entirely in it. */
export interface Part {
  /** A condition on `at`. */
  inTime: Raw
  /** The end is exclusive. */
  slots: { first: number; end: number }
  /** Undefined if the rows of all files have to be read. */
  direct: DirectFiles | undefined
}

/** Everything that has no time. */
export const TIMELESS: Pick<Part, 'inTime' | 'slots'> = {
  inTime: raw('(at IS NULL OR at <= 0)'),
  slots: { first: TIMELESS_SLOT, end: 0 },
}

/**
 * Sums of messages: `at` (of a slot or of a message), `artifact`, `age`, `who`, `tool`, `count` and
 * `words`.
 */
export function messageParts(scope: Scope, part: Part): Raw {
  const rows = (files: readonly number[] | undefined): string =>
    sql`SELECT at, artifact, age, who, tool, 1 AS count, if(who = 'human', words, 0) AS words
      FROM ${firstItems(scope, part.inTime, files, SPOKEN_ITEMS)} WHERE who <> 'program' AND sure = 1`
  return partsOf(part.direct?.messages, rows, (direct) =>
    summed(scope, part, direct, {
      list: 'spoken',
      names: ['who', 'tool', 'count', 'words'],
      of: sql`who IN ${SUMMED}`,
    }),
  )
}

/** How often tools changed files: `at`, `artifact`, `path`, `count`. */
export function writtenParts(scope: Scope, part: Part): Raw {
  const rows = (files: readonly number[] | undefined): string =>
    sql`SELECT at, artifact, age, path, 1 AS count FROM ${firstItems(scope, part.inTime, files, WRITTEN_ITEMS)}`
  return partsOf(part.direct?.messages, rows, (direct) =>
    summed(scope, part, direct, {
      list: 'spoken',
      names: ['path', 'count'],
      of: 'isNotNull(path)',
    }),
  )
}

/** Sums of usage: `at`, `artifact`, `age`, `model`, and the columns of `USAGE_PARTS`. */
export function usageParts(scope: Scope, part: Part): Raw {
  const rows = (files: readonly number[] | undefined): string =>
    repliesAsParts(countedReplies(scope, part.inTime, files))
  return partsOf(part.direct?.replies, rows, (direct) =>
    summed(scope, part, direct, {
      list: 'spent',
      names: ['model', 'length', ...USAGE_SUMS],
      of: IS_SOUND.sql,
    }),
  )
}

/**
 * The same columns of each reply. `sharing` are the files that share replies with others; undefined if that
 * may be any.
 */
export function replyParts(scope: Scope, inTime: Raw, sharing: readonly number[] | undefined): Raw {
  const rows = (files: readonly number[] | undefined): string =>
    repliesAsParts(countedReplies(scope, inTime, files))
  return partsOf(sharing, rows, (files) => repliesAsParts(ownReplies(scope, inTime, files)))
}

const repliesAsParts = (replies: Raw): string =>
  sql`SELECT u.at AS at, u.artifact AS artifact, u.age AS age, u.model AS model, ${USAGE_PARTS} FROM ${replies} AS u`

/** Sums of all files but some, and the rows of these; without a list, the rows of all. */
function partsOf(
  direct: readonly number[] | undefined,
  rows: (files: readonly number[] | undefined) => string,
  others: (direct: readonly number[]) => string,
): Raw {
  if (direct === undefined) return raw(`(${rows(undefined)})`)
  if (direct.length === 0) return raw(`(${others(direct)})`)
  return raw(`(${others(direct)} UNION ALL ${rows(direct)})`)
}

/** What is read of the stored sums. */
interface Columns {
  list: 'spoken' | 'spent'
  names: readonly string[]
  /** A condition on these columns. */
  of?: string
}

/** The stored sums of files, without those that are counted directly, and without outdated ones. */
function summed(
  scope: Scope,
  { slots: { first, end } }: Part,
  direct: readonly number[],
  { list, names, of = '1' }: Columns,
): string {
  const joined = ['slot', ...names].map((name) => `\`${list}.${name}\` AS ${name}`).join(', ')
  const lists = ['slot', ...names].map((name) => `${list}.${name}`).join(', ')
  const others = raw(direct.length === 0 ? '1' : sql`artifact NOT IN ${direct}`)
  // Most files have nothing in a short span. Their lists are not taken apart.
  return sql`SELECT toNullable(f.slot * ${SLOT_MS}) AS at, f.artifact AS artifact, a.age AS age,
      ${raw(names.map((name) => `f.${name} AS ${name}`).join(', '))}
    FROM (SELECT artifact, version, ${raw(joined)}
      FROM (SELECT artifact, version, ${raw(lists)} FROM figure FINAL
        WHERE last >= ${first} AND first < ${end} AND ${others})
      ARRAY JOIN ${raw(['slot', ...names].map((name) => `\`${list}.${name}\``).join(', '))}
      WHERE slot >= ${first} AND slot < ${end} AND ${raw(of)}) AS f
    INNER JOIN ${filesOf(scope, 'id, written')}
      ON a.id = f.artifact AND a.written = f.version`
}

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
