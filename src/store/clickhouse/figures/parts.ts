import { type Raw, raw, sql } from '../connection/literal.ts'
import { filesOf, type Scope } from '../scope.ts'
import {
  COUNTED,
  countedReplies,
  firstItems,
  IS_SOUND,
  ownReplies,
  SLOT_MS,
  SPOKEN_ITEMS,
  TIMELESS_SLOT,
  USAGE_PARTS,
  USAGE_SUMS,
  WRITTEN_ITEMS,
} from './columns.ts'
import type { DirectFiles } from './direct-files.ts'

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
      ...{ list: 'spent', names: ['model', 'length', ...USAGE_SUMS] },
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
