import * as z from 'zod/mini'
import type { Context } from '../../context/context.ts'
import { filters, identities } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { incompleteOf, incompleteShape } from '../../context/scanned.ts'
import type { Session } from '../../model/session.ts'
import { filterNames, type SESSION_LISTS } from '../../model/session-filter.ts'
import { toBillionths } from '../../model/usage.ts'
import { identityOf } from '../../platforms/identities.ts'
import { groupByProject } from '../../project/group.ts'
import { finishSession } from '../../render/text.ts'
import { costsOf, ownersOf } from '../../selection/costs.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { type LoadedRuns, loadRuns } from '../../selection/runs.ts'
import { rowsOf, SORTS, type Sort, sessionShape, sorted } from '../../selection/session-rows.ts'
import { dayName, localOffset, type OffsetAt, offsetIn, weekdayOf, zoneSpans } from '../../stats/zone.ts'
import { chosenByQuery, factsOf } from './chosen-by-query.ts'
import { defineQuestion, type FoundSession, findSession, rowOf, sessionField } from './question.ts'

/** How many rows are sent, unless another number is requested. */
const USUAL = 100

/** The rows under one heading: those of a project, or those that were last active on one day. */
const groupShape = () =>
  z.object({
    /** The name of the project, or the day as `2026-01-31`. `null` if there is none. */
    key: z.nullable(z.string()),
    sessions: z.number(),
    /** Of people and agents, together. */
    messages: z.number(),
    /** With `costs`: in US dollars at list price. `null` if nothing in them has a price. */
    cost: z.optional(z.nullable(z.number())),
    /** With `costs`: what the clients recorded. `null` if they recorded nothing. */
    recorded: z.optional(z.nullable(z.number())),
  })

type Group = z.output<ReturnType<typeof groupShape>>

const listingShape = () =>
  z.object({
    version: z.literal(1),
    total: z.number(),
    /** In the order of their rows, with `group`. */
    groups: z.array(groupShape()),
    /** The position of the first row that is sent. */
    from: z.number(),
    sessions: z.array(sessionShape()),
    /** Parts of the query that were not understood as they may have been meant, in sentences. */
    remarks: z.array(z.string()),
    /** While files are indexed: those that the list is made from. */
    incomplete: z.optional(incompleteShape()),
  })

type ListingAnswer = z.output<ReturnType<typeof listingShape>>

const narrowing = {
  project: field.text({ description: 'as for sessions' }),
  query: field.text({
    description: 'as for search: words that a message or the title has, and filters',
    placeholder: 'query',
  }),
  ...filters,
  ...identities,
  hour: field.checked((text) => weekHourOf(text) !== undefined, 'give a weekday from 1 and an hour: 5-09', {
    description: 'only sessions with a message of a person in this hour of the week: 5-09 is Friday at nine',
  }),
  timezone: field.checked((text) => offsetIn(text) !== undefined, 'is not a time zone', {
    description: 'the time zone of that hour, and of days',
  }),
}

type Narrowed = z.output<z.ZodMiniObject<typeof narrowing>> & { sort: Sort }

/** The rows that the parameters choose, and those that the query leaves out as well. */
async function chosenRows({ hour, timezone, query, ...wanted }: Narrowed, context: Context) {
  const found = await rowsOf(wanted, context)
  const { nameOf, folderOf } = found.chosen
  const listable = <Row extends { session: Session }>(row: Row) => ({
    ...row,
    project: nameOf(row.session),
    folder: folderOf(row.session),
  })
  let all = found.listed.map(listable)
  const offsetAt = (timezone === undefined ? undefined : offsetIn(timezone)) ?? localOffset
  if (hour !== undefined) {
    const paths = spokenTo(
      weekHourOf(hour)!,
      all.map(({ session }) => session),
      offsetAt,
      context,
    )
    all = all.filter(({ session }) => paths.has(session.path))
  }
  const isOfAll = wanted.agent === undefined && wanted.platform === undefined
  const named = () => (isOfAll ? found.loaded.all.map((session) => listable({ session })) : [])
  const byQuery = query === undefined ? undefined : await chosenByQuery(query, all, { named, context })
  return { found, all, byQuery, offsetAt }
}

type Row = Awaited<ReturnType<typeof chosenRows>>['all'][number]

/** A part of the list of sessions: what is in view. */
export const listing = defineQuestion({
  name: 'listing',
  summary: 'a part of the sessions that the filters choose, as `sessions` lists them',
  // The `key` of a group is the name of a project.
  searchesValues: true,
  input: z.object({
    ...narrowing,
    sort: field.choiceOr(SORTS, 'last', { description: 'as for sessions' }),
    from: field.count({ description: 'the position of the first row' }),
    group: field.choice(['project', 'day'], {
      description: 'rows of one project, or of one day of last activity, follow each other',
    }),
    costs: field.flag({ description: 'also state what each session and each group cost' }),
  }),
  output: listingShape,
  async run({ from = 0, group, costs, limit = USUAL, ...wanted }, context): Promise<ListingAnswer> {
    const { found, all, byQuery, offsetAt } = await chosenRows(wanted, context)
    const chosen = byQuery ? all.filter((row) => byQuery.chooses(row)) : all
    const costOf = costs
      ? await costsOf(
          chosen.map(({ session }) => session),
          context,
        )
      : undefined
    const byKey = group && Map.groupBy(chosen, group === 'day' ? dayIn(offsetAt) : projectOf)
    const rows = byKey ? [...byKey.values()].flat() : chosen
    const incomplete = incompleteOf(context)
    return {
      version: 1,
      total: rows.length,
      groups: byKey ? [...byKey].map(([key, own]) => groupOf(key, own, costOf)) : [],
      from,
      sessions: rows.slice(from, limit === 0 ? undefined : from + limit).map((row) => ({
        ...found.rowOf(row),
        ...(costOf && { cost: toBillionths(costOf(row.session)) }),
      })),
      remarks: byQuery?.remarks ?? [],
      ...(incomplete && { incomplete }),
    }
  },
})

const projectOf = ({ project }: Row): string | null => project ?? null

const DAY_MS = 86_400_000

/** The day of the last activity of a session, on a clock. */
function dayIn(offsetAt: OffsetAt): (row: Row) => string {
  return ({ session }) => {
    const at = activityOf(session)
    return dayName(Math.floor((at + offsetAt(at)) / DAY_MS))
  }
}

function groupOf(key: string | null, rows: readonly Row[], costOf: CostOf | undefined): Group {
  return {
    key,
    sessions: rows.length,
    messages: rows.reduce((sum, { session }) => sum + session.human + session.agentMessages, 0),
    ...(costOf && {
      cost: sumOf(rows.map(({ session }) => costOf(session))),
      recorded: sumOf(rows.map(({ session }) => session.usage?.cost)),
    }),
  }
}

/** The sum of dollars as the rows state them. `null` if no value is known. */
function sumOf(values: readonly (number | undefined)[]): number | null {
  const known = values.flatMap((value) => toBillionths(value) ?? [])
  return known.length === 0 ? null : toBillionths(known.reduce((sum, value) => sum + value, 0))
}

type CostOf = Awaited<ReturnType<typeof costsOf>>

const facetShape = () =>
  z.array(
    z.object({
      /** What the filter of this name is set to. */
      value: z.string(),
      sessions: z.number(),
      /** Of agents. */
      platform: z.optional(z.string()),
    }),
  )

const facetsShape = () =>
  z.object({
    version: z.literal(1),
    total: z.number(),
    agent: facetShape(),
    project: facetShape(),
    kind: facetShape(),
    model: facetShape(),
    tag: facetShape(),
  })

type FacetsAnswer = z.output<ReturnType<typeof facetsShape>>

/** What the facets list of a session. */
const VALUES = {
  ...filterNames,
  agent: ({ platform, agent }) => [identityOf(platform).manyAgents ? `${platform}:${agent}` : agent],
  kind: ({ kind }) => (kind == null ? [] : [kind]),
} satisfies typeof filterNames

type Facet = keyof typeof VALUES

/** What each facet of a query leaves out when it is counted: itself. */
const OWN = {
  agent: ['agent', 'platform'],
  project: ['project'],
  kind: ['kind'],
  model: ['model'],
  tag: ['tag'],
} as const satisfies Record<Facet, readonly (typeof SESSION_LISTS)[number][]>

/** How many sessions each value of a filter would leave, with the other filters as they are. */
export const facets = defineQuestion({
  name: 'facets',
  summary: 'how many sessions there are of each agent, project, kind, model and tag, most first',
  input: z.object(narrowing),
  output: facetsShape,
  async run(input, context): Promise<FacetsAnswer> {
    const { all, byQuery } = await chosenRows({ ...input, sort: 'last' }, context)
    const counted = (facet: Facet) => {
      const counts = new Map<string, number>()
      const values = new Map<string, { value: string; platform: string }>()
      for (const row of all) {
        if (byQuery && !byQuery.chooses(row, OWN[facet])) continue
        const facts = factsOf(row)
        for (const value of VALUES[facet](facts)) {
          const key = value.toLowerCase()
          if (!values.has(key)) values.set(key, { value, platform: facts.platform })
        }
        for (const key of new Set(filterNames[facet](facts).map((name) => name.toLowerCase())))
          counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      return [...values]
        .map(([key, { value, platform }]) => ({
          value,
          sessions: counts.get(key)!,
          ...(facet === 'agent' && { platform }),
        }))
        .sort((one, other) => other.sessions - one.sessions || (one.value < other.value ? -1 : 1))
    }
    return {
      version: 1,
      total: byQuery ? all.filter((row) => byQuery.chooses(row)).length : all.length,
      agent: counted('agent'),
      project: counted('project'),
      kind: counted('kind'),
      model: counted('model'),
      tag: counted('tag'),
    }
  },
})

/**
 * An hour of the week as addresses of the page name it: `5-09` is Friday at nine. The answer counts from the
 * midnight in which Monday begins.
 */
export function weekHourOf(text: string): number | undefined {
  const [, weekday, hour] = /^([1-7])-([01]\d|2[0-3])$/.exec(text) ?? []
  return weekday === undefined ? undefined : (Number(weekday) - 1) * 24 + Number(hour)
}

/** The paths of the sessions to which people wrote during an hour of the week. */
function spokenTo(
  weekHour: number,
  sessions: readonly Session[],
  offsetAt: OffsetAt,
  context: Context,
): ReadonlySet<string> {
  const { store } = freshStore(context)
  const ownerOf = ownersOf(store, sessions, () => undefined)
  const first = sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), context.now)
  const paths = new Set<string>()
  for (const { day, hours } of store.figures({ zone: zoneSpans(first, context.now, offsetAt) })) {
    if (day === null) continue
    for (const { artifact, hour } of hours) {
      const own = weekdayOf(day) * 24 + hour === weekHour ? ownerOf(artifact)?.own : undefined
      if (own !== undefined) paths.add(own)
    }
  }
  return paths
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
