import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import { filters, spanOf } from '../../context/filters.ts'
import { field } from '../../context/flags.ts'
import { freshStore } from '../../context/fresh-store.ts'
import { noticesOf, scannedLines, scannedOf } from '../../context/scanned.ts'
import { duration } from '../../context/time.ts'
import { ScrollbackError } from '../../errors.ts'
import { shownName } from '../../model/hidden.ts'
import { largest } from '../../model/iteration.ts'
import { isOfPeople, type Session } from '../../model/session.ts'
import { platformIds } from '../../platforms/identities.ts'
import { amount, type Column, counted, cutTo, dollars, grouped, homely, table } from '../../render/table.ts'
import { type Screen, wrap } from '../../render/terminal.ts'
import { chooseNamed } from '../../selection/choose-sessions.ts'
import { ownersOf, prices } from '../../selection/costs.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { DIMENSIONS, type Dimension, isTimed, summarize, tokensOf } from '../../stats/summarize.ts'
import { localOffset, type OffsetAt, offsetIn, zoneSpans } from '../../stats/zone.ts'
import type { DayFigures } from '../../store/figures.ts'
import { blockRowsOf, inMillionths, rowsOf, type StatsAnswer, statsShape } from './figures.ts'

export const stats = defineCommand({
  name: 'stats',
  summary: 'sum up messages, tools, tokens and costs by day, model, project, session, tool or agent',
  details:
    'A block is five hours long and begins at the full hour of its first reply, as usage limits count it; the running block also shows its ' +
    'rate and projection. Subagents count for the session that started them. Each reply counts once, even if several files contain it. Costs are ' +
    'computed from list prices, next to the costs that clients recorded. A model without a price is named, never counted as free. ' +
    'Without --since and --until, a time in words or a date beside the name is both: stats last month. A project called october follows --.',
  examples: [
    { command: 'scrollback stats', description: 'sum up everything by day' },
    { command: 'scrollback stats eastore --since 30d', description: 'sum up one project, last 30 days' },
    {
      command: 'scrollback stats last month',
      description: 'what last month cost; a day, `october` and 2026-10 too',
    },
    { command: 'scrollback stats --by model', description: 'show the costs of each model' },
    {
      command: 'scrollback stats --by session --limit 10',
      description: 'show the ten most expensive sessions',
    },
    {
      command: 'scrollback stats --by project-day --breakdown',
      description: 'show each project and day, with its models',
    },
    {
      command: 'scrollback stats --by block --since 2d',
      description: 'show blocks of five hours, and the rate of this one',
    },
    { command: 'scrollback stats --by tool', description: 'show which tools are called, and which fail' },
    { command: "scrollback stats --json | jq '.totals.cost'", description: 'for programs' },
  ],
  input: z.object({
    project: field.text({
      description: 'project, agent or session; part of a name or path',
      positional: true,
    }),
    by: field.choiceOr(DIMENSIONS, 'day', { description: DIMENSIONS.join(', '), placeholder: 'what' }),
    platform: field.choice(platformIds(), {
      description: 'only this platform',
      placeholder: 'id',
    }),
    agent: filters.agent,
    all: field.flag({ description: 'everything that matches the name' }),
    since: field.time('since', { description: 'only since this time: 7d, 2026-01-31, yesterday' }),
    until: field.time('until', { description: 'only until the end of: 2026-01-31, today' }),
    limit: field.count({
      description: 'at most n rows: the newest times, otherwise the most expensive; 0 = no limit',
      placeholder: 'n',
    }),
    order: field.choice(['asc', 'desc'], {
      description:
        'asc or desc: by time where rows are times, otherwise by cost; asc for times, desc for others unless given',
      placeholder: 'way',
    }),
    breakdown: field.flag({ description: 'add a line per model to each row' }),
    timezone: field.text({
      description: 'days, and times of --since and --until, as in this zone: UTC, Europe/Berlin',
      placeholder: 'zone',
    }),
  }),
  output: statsShape,
  needs: 'messages',
  async run(input, context): Promise<StatsAnswer> {
    if (input.breakdown && (input.by === 'model' || input.by === 'tool'))
      throw new ScrollbackError(
        'bad-option',
        `--breakdown: rows by ${input.by} have no models.`,
        'Drop it, or choose another --by.',
      )
    const offsetAt = offsetOf(input.timezone)
    const { since, until } = spanOf(input, context, offsetAt)
    const { store } = freshStore(context)
    const loaded = loadSessions({ platform: input.platform, agent: input.agent }, context)
    const { sessions, by, nameOf } = await chooseNamed(
      loaded,
      { ...input, name: input.project, all: input.all || input.project === undefined },
      context,
    )
    const first = loaded.sessions.reduce((low, { startedMs }) => Math.min(low, startedMs ?? low), context.now)
    const sums = store.figures({
      zone: zoneSpans(first, context.now, offsetAt),
      fromMs: Number.isFinite(since) ? since : undefined,
      untilMs: Number.isFinite(until) ? until : undefined,
    })
    const ownerOfFile = ownersOf(store, sessions, nameOf)
    const { priceOf, notPriced } = await prices(sessions.length > 0)
    const termsFound = new Map<string, number>()
    const noted = countingTerms(sums, termsFound, (model, artifact) =>
      ownerOfFile(artifact) ? notPriced(model) : undefined,
    )
    const summary = summarize(noted, ownerOfFile, input.by, priceOf)
    const { tools, files, hours, weekHours, activeDays } = summary
    const made =
      input.by === 'block'
        ? blockRowsOf(store, ownerOfFile, priceOf, { now: context.now, since, until, offsetAt })
        : summary
    const isProject = input.project !== undefined && by !== 'owner'
    const named = isProject ? sessions.map(nameOf).find((name) => name !== undefined) : undefined
    const asked = {
      by: input.by,
      limit: input.limit ?? 0,
      breakdown: input.breakdown,
      order: input.order ?? (isTimed(input.by) ? 'asc' : 'desc'),
    }
    const deleted = loaded.unread.filter((each) => each.deleted).length
    if (deleted > 0)
      context.note(
        `${counted(deleted, 'deleted transcript')} on disk ${deleted === 1 ? 'is' : 'are'} not counted: ${context.suggest.again({ flags: ['--deleted'] })}`,
      )
    const untimed = sessions.filter(
      ({ lastActivityMs, modifiedMs }) =>
        lastActivityMs === undefined && modifiedMs >= since && modifiedMs <= until,
    ).length
    if (untimed > 0 && (input.since !== undefined || input.until !== undefined))
      context.note(
        `${counted(untimed, 'session')} of this time, by the time of ${untimed === 1 ? 'its file' : 'their files'}, ${untimed === 1 ? 'is' : 'are'} not counted, because none of ${untimed === 1 ? 'its' : 'their'} records has a time.`,
      )
    const timeless = input.by === 'block' ? tokensOf(summary.totals) - tokensOf(made.rowTotal) : 0
    if (timeless > 0 && input.since === undefined && input.until === undefined)
      context.note(`Replies without a time are in no block: ${amount(timeless)} tokens.`)
    const terms = [...termsFound].map(([terms, requests]) => ({ terms, requests }))
    return {
      version: 1,
      scanned: scannedOf(loaded),
      notices: noticesOf(loaded),
      project: named ?? null,
      totals: inMillionths(summary.totals),
      ofPeople: summary.ofPeople,
      ...(summary.totals.sessions === 0 ? lastBefore(sessions, until) : {}),
      ...(terms.length > 0 ? { notPriced: terms } : {}),
      ...(input.since === undefined && input.until === undefined
        ? {
            silent: sessions.length - summary.totals.sessions,
            silentOfPeople: sessions.filter(isOfPeople).length - summary.ofPeople,
          }
        : {}),
      ...(deleted > 0 ? { uncounted: deleted } : {}),
      ...rowsOf(made, asked, loaded.sessions),
      tools,
      files,
      hours,
      weekHours,
      activeDays,
    }
  },
  isNothing: ({ totals }) => totals.sessions === 0,
  render: statsText,
  searchesValues: true,
})

/** When sessions were active the last time before a moment, or if they were not, the last time of all. */
function lastBefore(sessions: readonly Session[], until: number): { lastAt?: string; laterAt?: string } {
  const all = sessions.flatMap(({ lastActivityMs }) => lastActivityMs ?? [])
  const last = largest(all.filter((at) => at <= until))
  if (Number.isFinite(last)) return { lastAt: new Date(last).toISOString() }
  return all.length > 0 ? { laterAt: new Date(largest(all)).toISOString() } : {}
}

/**
 * Passes sums on, and counts the requests whose price differs from the list price in a way that the costs do
 * not include.
 */
function* countingTerms(
  sums: Iterable<DayFigures>,
  found: Map<string, number>,
  termsOf: (model: string, artifact: number) => string | undefined,
): Generator<DayFigures> {
  for (const day of sums) {
    for (const { model, replies, artifact } of day.usage) {
      const terms = model === null ? undefined : termsOf(model, artifact)
      if (terms !== undefined) found.set(terms, (found.get(terms) ?? 0) + replies)
    }
    yield day
  }
}

/** The offset of the given time zone, otherwise of the machine's. */
function offsetOf(zone: string | undefined): OffsetAt {
  if (zone === undefined) return localOffset
  const offsetAt = offsetIn(zone)
  if (offsetAt) return offsetAt
  throw new ScrollbackError(
    'bad-option',
    `--timezone: unknown time zone "${zone}"`,
    'Use UTC, or a region and a city: Europe/Berlin, America/New_York, Asia/Shanghai.',
  )
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
/** How many rows fill a screen. */
const SCREENFUL = 30
const TOP = 5

/** One bar per figure. The highest is full, and zero is a blank. */
function sparkLine(values: readonly number[]): string {
  const most = largest(values, 0)
  return values
    .map((value) =>
      value <= 0 ? ' ' : BARS[Math.min(BARS.length - 1, Math.floor((value / most) * BARS.length))],
    )
    .join('')
}

function* statsText(answer: StatsAnswer, screen: Screen): Generator<string> {
  const { totals, rows: all, by, order, rowsTotal } = answer
  if (totals.sessions === 0) {
    const { lastAt, laterAt } = answer
    if (lastAt === undefined && laterAt === undefined) {
      yield 'Nothing to count. Searched:\n'
      yield* scannedLines(answer.scanned, screen.home)
      return
    }
    const day = (lastAt ?? laterAt)!.slice(0, 10)
    const since = `--since=${day}` as const
    const flags = lastAt === undefined ? ([since, `--until=${day}`] as const) : [since]
    yield `Nothing to count in this time. The last activity was on ${day}: ${screen.suggest.again({ flags })}\n`
    return
  }
  yield* totalText(answer, screen)
  if (by !== 'project-day' && isTimed(by) && all.length > 1) {
    const room = Math.max(10, Math.min(screen.columns, 114) - 14)
    const bars = (order === 'asc' ? all : all.toReversed()).slice(-room)
    yield `\n  per ${by.padEnd(8)} ${sparkLine(bars.map(tokensOf))}\n`
  }
  // The most important row is the last one, or the first.
  const most = screen.terminal ? SCREENFUL : all.length
  const rows = order === 'asc' ? all.slice(-most) : all.slice(0, most)
  yield '\n'
  if (rows.length > 0) yield* table(tableRows(answer, rows, screen), statsColumns(by), screen)
  if (rows.length < rowsTotal)
    yield `\n${grouped(rows.length)} of ${counted(rowsTotal, 'row')}${rows.length < all.length ? ' (--json has all)' : ''}; Total is of all of them.\n`
  const running = all.find(({ block }) => block?.pace)?.block
  if (running) yield `\n${paceText(running)}\n`
}

function* totalText(
  { totals, ofPeople, notPriced = [], tools, files, hours, activeDays, project, ...answer }: StatsAnswer,
  screen: Screen,
): Generator<string> {
  const cut = (name: string, text: string): string => line(name, cutTo(text, screen.columns - 14))
  const line = (name: string, text: string): string =>
    `  ${name.padEnd(11)} ${wrap(text, screen.columns - 14).replaceAll('\n', `\n${' '.repeat(14)}`)}\n`
  const { human, agent } = totals.messages
  yield `${shownName(project ?? 'Everything')}\n`
  const { silent = 0, silentOfPeople = 0 } = answer
  const whoseOf = (all: number, people: number): string => {
    const parts = [
      ...(people > 0 ? [`${grouped(people)} of people`] : []),
      ...(all > people ? [counted(all - people, 'other')] : []),
    ]
    return ` (${parts.join(', ')})`
  }
  const isMixed = totals.sessions + silent > ofPeople + silentOfPeople
  const apart = isMixed ? whoseOf(silent, silentOfPeople) : ''
  const more = silent > 0 ? `, and ${grouped(silent)} without new messages${apart}` : ''
  const whose = isMixed ? whoseOf(totals.sessions, ofPeople) : ''
  yield line('sessions', `${grouped(totals.sessions)}${whose} on ${counted(activeDays, 'day')}${more}`)
  yield line(
    'messages',
    `${grouped(human)} of yours (${counted(totals.humanWords, 'word')}), ${grouped(agent)} of theirs`,
  )
  yield line(
    'tools',
    `${counted(totals.toolCalls, 'call')}, ${counted(totals.errors, 'error')}${top(tools.map(({ name, calls }) => `${name} ${grouped(calls)}`))}`,
  )
  const { reasoningTokens } = totals
  const reasoning = reasoningTokens > 0 ? ` (${amount(reasoningTokens)} of it reasoning)` : ''
  yield line(
    'tokens',
    `${amount(tokensOf(totals))}: ${amount(totals.inputTokens)} in, ${amount(totals.outputTokens)} out${reasoning}, ${amount(totals.cacheReadTokens)} read from the cache, ${amount(totals.cacheCreationTokens)} written to it`,
  )
  if (totals.recordedTokens)
    yield line(
      'recorded',
      `${recordedAs(totals.recordedTokens)} tokens, with titles, summaries and subagents`,
    )
  const recorded =
    totals.recordedCost === null ? '' : `; recorded by the agents: ${dollars(totals.recordedCost)}`
  const missing =
    totals.unpricedModels.length === 0
      ? ''
      : `; without a price: ${totals.unpricedModels.map(shownName).join(', ')}`
  yield line('cost', `${dollars(totals.cost)} at list price${recorded}${missing}`)
  if (notPriced.length > 0)
    yield line(
      'not priced',
      notPriced.map(({ terms, requests }) => `${terms}: ${counted(requests, 'request')}`).join('; '),
    )
  if (hours.some((count) => count > 0)) yield line('hours', `${sparkLine(hours)}  from 0 to 23`)
  if (files.length > 0)
    yield cut(
      'files',
      files
        .slice(0, TOP)
        .map(({ path, count }) => `${shownName(homely(path, screen.home))} (${count})`)
        .join(', '),
    )
}

type RecordedTokens = NonNullable<StatsAnswer['totals']['recordedTokens']>

const recordedAs = ({ input, output, cacheRead, cacheWrite }: RecordedTokens): string =>
  amount(input + output + cacheRead + cacheWrite)

const top = (names: readonly string[]): string =>
  names.length === 0 ? '' : `: ${names.slice(0, TOP).map(shownName).join(', ')}`

type Row = StatsAnswer['rows'][number]
type Line = Omit<Row, 'models' | 'block' | 'unpricedModels'>

/** The lines of the table: rows, the models of each row if requested, and the total. */
function tableRows(
  { by, rowsSum, rowsTotal }: StatsAnswer,
  rows: readonly Row[],
  { suggest }: Screen,
): Line[] {
  const lines = rows.flatMap((row): Line[] => [
    { ...row, key: by === 'session' ? suggest.id(row.key) : row.key },
    ...(row.models ?? []).map(({ model, replies, ...tokens }) => ({
      key: `- ${model}`,
      sessions: 0,
      messages: { human: 0, agent: replies },
      humanWords: 0,
      toolCalls: 0,
      errors: 0,
      ...tokens,
    })),
  ])
  const some = rows.length < rowsTotal
  return [...lines, { ...rowsSum, key: some ? `Total of ${grouped(rowsTotal)}` : 'Total' }]
}

function statsColumns(by: Dimension): Column<Line>[] {
  const count = (title: string, value: (row: Line) => number, from?: number): Column<Line> => ({
    title,
    from,
    value: (row) => (value(row) === 0 ? '' : grouped(value(row))),
    align: 'right',
  })
  const tokens = (title: string, value: (row: Line) => number, from?: number): Column<Line> => ({
    title,
    from,
    value: (row) => (value(row) === 0 ? '' : amount(value(row))),
    align: 'right',
  })
  const isTool = by === 'tool'
  const isConversation = !isTool && by !== 'model' && by !== 'block'
  return [
    { title: by.toUpperCase(), value: ({ key }) => key, most: 40 },
    ...(by === 'session' ? [] : [count('SESSIONS', ({ sessions }) => sessions, 70)]),
    ...(isConversation ? [count('YOU', ({ messages }) => messages.human)] : []),
    ...(isTool ? [] : [count('AI', ({ messages }) => messages.agent)]),
    ...(isConversation || isTool
      ? [
          count('CALLS', ({ toolCalls }) => toolCalls),
          count('ERRORS', ({ errors }) => errors, isTool ? 0 : 120),
        ]
      : []),
    ...(isTool
      ? []
      : [
          tokens('IN', ({ inputTokens }) => inputTokens, 100),
          tokens('OUT', ({ outputTokens }) => outputTokens, 90),
          { ...tokens('REASONING', ({ reasoningTokens }) => reasoningTokens, 110), sparse: true },
          tokens('CACHE READ', ({ cacheReadTokens }) => cacheReadTokens, 100),
          tokens('CACHE WRITE', ({ cacheCreationTokens }) => cacheCreationTokens, 100),
          tokens('TOKENS', tokensOf),
          { title: 'COST', value: (row: Line) => dollars(row.cost), align: 'right' as const },
        ]),
    ...(by === 'session'
      ? [{ title: 'TITLE', value: ({ title }: Line) => title ?? '', rest: true } satisfies Column<Line>]
      : []),
  ]
}

/** The usage of the running block, its rate, and the projection. */
function paceText({ pace, ...block }: NonNullable<Row['block']>): string {
  const { minutesLeft, tokensPerMinute, costPerHour, projectedTokens, projectedCost } = pace!
  const begun = counted(
    Math.round((Date.parse(block.endsAt) - Date.parse(block.startsAt)) / 3_600_000),
    'hour',
  )
  const cost = costPerHour === null ? '' : `, ${dollars(costPerHour)} an hour`
  const then = projectedCost === null ? '' : ` and ${dollars(projectedCost)}`
  return `The block of ${begun} that runs ends in ${duration(minutesLeft * 60_000)}. ${amount(tokensPerMinute)} tokens a minute${cost}: at that pace ${amount(projectedTokens)} tokens${then} by its end.`
}
