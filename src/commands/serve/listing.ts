import * as z from 'zod/mini'
import type { Context } from '../../context/context.ts'
import { filters, identities } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { incompleteOf, incompleteShape } from '../../context/scanned.ts'
import { append } from '../../model/iteration.ts'
import type { Session } from '../../model/session.ts'
import { groupByProject } from '../../project/group.ts'
import { finishSession } from '../../render/text.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { type LoadedRuns, loadRuns } from '../../selection/runs.ts'
import { rowsOf, SORTS, sessionShape, sorted } from '../../selection/session-rows.ts'
import { localOffset, type OffsetAt, offsetIn, zoneSpans } from '../../stats/zone.ts'
import { defineQuestion, type FoundSession, findSession, rowOf, sessionField } from './question.ts'

/** How many rows are sent, unless another number is requested. */
const USUAL = 100

const listingShape = () =>
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

type ListingAnswer = z.output<ReturnType<typeof listingShape>>

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
      description: 'only sessions that were active in this hour of the week: 5-09 is Friday at nine',
    }),
    timezone: field.checked((text) => offsetIn(text) !== undefined, 'is not a time zone', {
      description: 'the time zone of that hour',
    }),
  }),
  output: listingShape,
  async run(
    { from = 0, byProject, hour, timezone, limit = USUAL, ...wanted },
    context,
  ): Promise<ListingAnswer> {
    const found = await rowsOf(wanted, context)
    let { listed } = found
    if (hour !== undefined) {
      const offsetAt = (timezone === undefined ? undefined : offsetIn(timezone)) ?? localOffset
      const isThen = goingOnAt(weekHourOf(hour)!, context.now, offsetAt)
      listed = listed.filter(({ session }) => isThen(session))
    }
    const groups: ListingAnswer['groups'] = []
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
      version: 1,
      total: listed.length,
      groups,
      from,
      sessions: rows.map(found.rowOf),
      ...(incomplete && { incomplete }),
    }
  },
})

const HOUR_MS = 3_600_000
const WEEK_HOURS = 7 * 24
/** The first day of 1970 was a Thursday, and weeks begin on Monday. */
const FIRST_HOUR = 3 * 24

/**
 * An hour of the week as addresses of the page name it: `5-09` is Friday at nine. The answer counts from the
 * midnight in which Monday begins.
 */
export function weekHourOf(text: string): number | undefined {
  const [, weekday, hour] = /^([1-7])-([01]\d|2[0-3])$/.exec(text) ?? []
  return weekday === undefined ? undefined : (Number(weekday) - 1) * 24 + Number(hour)
}

/** Whether a time span contains a part of that hour of a week, on a clock with this offset. */
export function spansWeekHour(fromMs: number, untilMs: number, weekHour: number, offsetMs: number): boolean {
  const begin = Math.floor((fromMs + offsetMs) / HOUR_MS)
  const ofWeek = (begin + FIRST_HOUR) % WEEK_HOURS
  const wait = (weekHour - ofWeek + WEEK_HOURS) % WEEK_HOURS
  return wait === 0 || (begin + wait) * HOUR_MS <= untilMs + offsetMs
}

/** Whether a session was going on during that hour of a week. */
export function goingOnAt(weekHour: number, now: number, offsetAt: OffsetAt): (session: Session) => boolean {
  const year = 366 * 24 * HOUR_MS
  const spans = zoneSpans(now - 10 * year, now, offsetAt)
  return ({ startedMs, lastActivityMs }) => {
    if (startedMs === undefined) return false
    const { offsetMs } = spans.findLast(({ fromMs }) => fromMs <= startedMs) ?? spans[0]!
    return spansWeekHour(startedMs, lastActivityMs ?? startedMs, weekHour, offsetMs)
  }
}

const choicesShape = () =>
  z.object({
    version: z.literal(1),
    agents: z.array(z.string()),
    models: z.array(z.string()),
    branches: z.array(z.string()),
  })

type ChoicesAnswer = z.output<ReturnType<typeof choicesShape>>

/** What the filters of the page can be set to, whatever they are set to now. */
export const choices = defineQuestion({
  name: 'choices',
  summary: 'the agents, models and Git branches of all sessions, by name',
  input: z.object({}),
  output: choicesShape,
  run(_, context): ChoicesAnswer {
    const agents = new Set<string>()
    const models = new Set<string>()
    const branches = new Set<string>()
    for (const session of loadSessions({}, context).sessions) {
      agents.add(session.agent)
      if (session.model !== undefined) models.add(session.model)
      for (const branch of session.branches ?? []) branches.add(branch)
    }
    return {
      version: 1,
      agents: [...agents].sort(),
      models: [...models].sort(),
      branches: [...branches].sort(),
    }
  },
})

const neighborsShape = () =>
  z.object({
    version: z.literal(1),
    /** The ids of the session above and below it in the list. `null` at an end of the list. */
    newer: z.nullable(z.string()),
    older: z.nullable(z.string()),
  })

type NeighborsAnswer = z.output<ReturnType<typeof neighborsShape>>

/** The sessions beside one in the list of all sessions. The list itself may be very long. */
export const neighbors = defineQuestion({
  name: 'neighbors',
  summary: 'the sessions before and after one in the list of all sessions, which is sorted by activity',
  input: z.object({ session: sessionField }),
  output: neighborsShape,
  run(input, context): NeighborsAnswer {
    const { session } = findSession(input.session, freshStore(context))
    const rows = sorted(loadSessions({}, context).sessions, 'last', () => undefined)
    const at = rows.findIndex(({ path }) => path === session.path)
    if (at >= 0) return answer(rows[at - 1], rows[at + 1])
    // A copy of another session is not in the list. It goes where its time belongs.
    const older = rows.findIndex((row) => activityOf(row) < activityOf(session))
    return older < 0 ? answer(rows.at(-1), undefined) : answer(rows[older - 1], rows[older])
  },
})

const activityOf = ({ lastActivityMs, modifiedMs }: Session): number => lastActivityMs ?? modifiedMs

const answer = (newer: Session | undefined, older: Session | undefined): NeighborsAnswer => ({
  version: 1,
  newer: newer?.id ?? null,
  older: older?.id ?? null,
})

/** A session as listings show it, among all others. */
export interface Listed {
  session: Session
  project: string | undefined
  loaded: LoadedRuns
}

/** The short names of projects by session. */
export function projectNames(sessions: readonly Session[]): Map<Session, string> {
  const names = new Map<Session, string>()
  for (const { name, path, sessions: own } of groupByProject(sessions))
    if (path !== undefined) for (const session of own) names.set(session, name)
  return names
}

/** A session that was found by its id or path, as listings show it. */
export function chooseListed(found: FoundSession, context: Context): Listed {
  const loaded = loadRuns(context)
  const listed = loaded.sessions.find(({ path }) => path === found.session.path)
  const project = listed ? projectNames(loaded.sessions).get(listed) : found.project
  return { session: finishSession(listed ?? rowOf(found)), project, loaded }
}
