import { LENGTH_STEPS } from '../../../model/priced-usage.ts'
import type { UsageFigure } from '../../figures.ts'
import { type Raw, raw, sql } from '../connection/literal.ts'
import { type Scope, shown } from '../scope.ts'

/** The same as `lengthOf`. */
const LENGTH = LENGTH_STEPS.map((step) => `(reply > 0 AND input + cacheRead + cacheWrite > ${step})`).join(
  ' + ',
)

const SUMS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const

/** The columns of a `UsageFigure`, in the order of `UsageValues`. */
export const FIGURE_COLUMNS: Raw = raw(
  [
    ...['artifact', 'model', `${LENGTH} AS length`, 'countIf(reply > 0)'],
    ...SUMS.map((name) => `sumIf(${name}, reply > 0)`),
    'sumIf(least(cacheWriteHour, cacheWrite), reply > 0)',
    ...['sum(ifNull(cost, 0))', 'count(cost)'],
    ...SUMS.map((name) => `sumIf(${name}, reply < 0)`),
  ].join(', '),
)

const NAMES = [
  ...[
    'artifact',
    'model',
    'length',
    'replies',
    'input',
    'output',
    'cacheRead',
    'cacheWrite',
    'cacheWriteHour',
  ],
  ...['recorded', 'recordedReplies', 'statedInput', 'statedOutput', 'statedCacheRead', 'statedCacheWrite'],
] as const satisfies readonly (keyof UsageFigure)[]

export type UsageValues = readonly (number | string | null)[]

export const usageFigure = (values: UsageValues): UsageFigure =>
  Object.fromEntries(NAMES.map((name, index) => [name, values[index]])) as unknown as UsageFigure

/**
 * Every reply once: of all files that contain it, that with the most output, because the largest numbers are
 * the latest.
 */
export const countedReplies = (scope: Scope, inTime: Raw): Raw =>
  raw(sql`(SELECT * FROM (
    SELECT u.*, a.since AS since FROM usage AS u FINAL
    INNER JOIN (SELECT id, version, since FROM artifact FINAL WHERE ${shown(scope)}) AS a ON a.id = u.artifact
    WHERE u.version <= a.version AND u.reply IN (SELECT reply FROM usage WHERE ${inTime})
    ORDER BY u.output DESC, a.since, u.artifact LIMIT 1 BY u.reply) WHERE ${inTime})`)
