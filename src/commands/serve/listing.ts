import * as z from 'zod/mini'
import { append } from '../../model/lists.ts'
import { localOffset, offsetIn } from '../../stats/zone.ts'
import { filters, identities } from '../kit/filters.ts'
import { field } from '../kit/flags.ts'
import { incompleteOf, incompleteShape } from '../kit/scanned.ts'
import { rowsOf, SORTS, sessionShape } from '../kit/session-rows.ts'
import { defineQuestion } from './question.ts'
import { goingOnAt, weekHourOf } from './week-hour.ts'

/** How many rows are sent, unless another number is requested. */
const USUAL = 100

const output = () =>
  z.object({
    version: z.literal(1),
    total: z.number(),
    /** The projects in the order of their rows, with `byProject`. */
    groups: z.array(z.object({ project: z.nullable(z.string()), sessions: z.number() })),
    /** The position of the first row that is sent. */
    from: z.number(),
    sessions: z.array(sessionShape()),
    /** While files are indexed: those that the list is made from. */
    incomplete: z.optional(incompleteShape()),
  })

type Answer = z.output<ReturnType<typeof output>>

/** A part of the list of sessions: what is in view. */
export const listing = defineQuestion({
  name: 'listing',
  summary: 'a part of the sessions that the filters choose, as `sessions` lists them',
  input: z.object({
    project: field.text({ description: 'as for sessions' }),
    ...filters,
    ...identities,
    sort: field.choiceOr(SORTS, 'last', { description: 'as for sessions' }),
    from: field.count({ description: 'the position of the first row' }),
    byProject: field.flag({ description: 'all sessions of a project follow each other' }),
    hour: field.checked((text) => weekHourOf(text) !== undefined, 'give a weekday from 1 and an hour: 5-09', {
      description: 'only sessions that were going on in this hour of a week: 5-09 is Friday at nine',
    }),
    timezone: field.checked((text) => offsetIn(text) !== undefined, 'is not a time zone', {
      description: 'the time zone of that hour',
    }),
  }),
  output,
  async run({ from = 0, byProject, hour, timezone, limit = USUAL, ...wanted }, context): Promise<Answer> {
    const found = await rowsOf(wanted, context)
    let { listed } = found
    if (hour !== undefined) {
      const offsetAt = (timezone === undefined ? undefined : offsetIn(timezone)) ?? localOffset
      const isThen = goingOnAt(weekHourOf(hour)!, context.now, offsetAt)
      listed = listed.filter(({ session }) => isThen(session))
    }
    const groups: Answer['groups'] = []
    if (byProject) {
      const own = Map.groupBy(listed, ({ session }) => found.chosen.nameOf(session) ?? null)
      listed = []
      for (const [project, rows] of own) {
        groups.push({ project, sessions: rows.length })
        append(listed, rows)
      }
    }
    const rows = listed.slice(from, limit === 0 ? undefined : from + limit)
    const incomplete = incompleteOf(context)
    return {
      ...{ version: 1, total: listed.length, groups, from },
      sessions: rows.map(found.rowOf),
      ...(incomplete && { incomplete }),
    }
  },
})
