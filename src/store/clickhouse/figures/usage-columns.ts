import { LENGTH_STEPS } from '../../../model/priced-usage.ts'
import type { UsageFigure } from '../../figures.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { MOST } from '../read/well-formed.ts'
import { filesOf, type Scope } from '../scope.ts'

/** The same as `lengthOf`. */
const LENGTH = LENGTH_STEPS.map(
  (step) => `(u.reply > 0 AND u.input + u.cacheRead + u.cacheWrite > ${step})`,
).join(' + ')

const ofReply = (value: string): string => `if(u.reply > 0, ${value}, 0)`
const stated = (value: string): string => `if(u.reply < 0, ${value}, 0)`

/** The sums of a `UsageFigure`, in order, and what a row `u` of `usage` adds to each. */
const PARTS = {
  replies: 'u.reply > 0',
  input: ofReply('u.input'),
  output: ofReply('u.output'),
  cacheRead: ofReply('u.cacheRead'),
  cacheWrite: ofReply('u.cacheWrite'),
  cacheWriteHour: ofReply('least(u.cacheWriteHour, u.cacheWrite)'),
  recorded: 'ifNull(u.cost, 0)',
  recordedReplies: 'isNotNull(u.cost)',
  statedInput: stated('u.input'),
  statedOutput: stated('u.output'),
  statedCacheRead: stated('u.cacheRead'),
  statedCacheWrite: stated('u.cacheWrite'),
} as const satisfies Partial<Record<keyof UsageFigure, string>>

/** The names of the sums of a `UsageFigure`. */
export const USAGE_SUMS = Object.keys(PARTS) as (keyof typeof PARTS)[]

/** Length and sums of single rows `u` of `usage`, by the names that these have in a `UsageFigure`. */
export const USAGE_PARTS: Raw = raw(
  [`toUInt8(${LENGTH}) AS length`, ...USAGE_SUMS.map((name) => `${PARTS[name]} AS ${name}`)].join(', '),
)

/** The columns of a `UsageFigure` from rows with such parts, in the order of `UsageValues`. */
export const FIGURE_COLUMNS: Raw = raw(
  ['artifact', 'model', 'length', ...USAGE_SUMS.map((name) => `sum(${name})`)].join(', '),
)

/** Sums that no reply and no file can have are left out, so that they do not spoil a total. */
export const IS_SOUND: Raw = raw(
  [`length <= ${LENGTH_STEPS.length}`, ...USAGE_SUMS.map((name) => `${name} BETWEEN 0 AND ${MOST}`)].join(
    ' AND ',
  ),
)

/** The same of a row `u` of `usage`. */
const IS_SOUND_ROW: Raw = raw(
  ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'ifNull(cost, 0)']
    .map((name) => `${name} BETWEEN 0 AND ${MOST}`)
    .join(' AND '),
)

export type UsageValues = readonly (number | string | null)[]

const NAMES = ['artifact', 'model', 'length', ...USAGE_SUMS] as const

export const usageFigure = (values: UsageValues): UsageFigure =>
  Object.fromEntries(NAMES.map((name, index) => [name, values[index]])) as unknown as UsageFigure

/**
 * Every reply once: of all files that contain it, that with the most output, because the largest numbers are
 * the latest. With `files`, only their rows are read: these files must share no reply with others.
 */
export function countedReplies(scope: Scope, inTime: Raw, files: readonly number[] | undefined): Raw {
  const of = raw(files === undefined ? '1' : sql`artifact IN ${files}`)
  return raw(sql`(SELECT * FROM (
    SELECT u.*, a.age AS age FROM (SELECT * FROM usage FINAL WHERE ${of} AND ${IS_SOUND_ROW}) AS u
    INNER JOIN ${filesOf(scope, 'id, version')} ON a.id = u.artifact
    WHERE u.version <= a.version AND u.reply IN (SELECT reply FROM usage WHERE ${of} AND ${inTime})
    ORDER BY u.output DESC, a.age LIMIT 1 BY u.reply) WHERE ${inTime})`)
}

/** The replies of all files but some, none of which are in more than one file. */
export function ownReplies(scope: Scope, inTime: Raw, without: readonly number[]): Raw {
  const of = raw(without.length === 0 ? '1' : sql`artifact NOT IN ${without}`)
  return raw(sql`(SELECT u.*, a.age AS age FROM (SELECT * FROM usage FINAL WHERE ${of} AND ${inTime} AND ${IS_SOUND_ROW}) AS u
    INNER JOIN ${filesOf(scope, 'id, version')} ON a.id = u.artifact
    WHERE u.version <= a.version)`)
}
