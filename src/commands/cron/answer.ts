import * as z from 'zod/mini'
import { noticesShape, scannedLines, scannedShape } from '../../context/scanned.ts'
import { duration, isoTime } from '../../context/time.ts'
import { type CronJob, type CronRun, timeOfRun } from '../../model/cron.ts'
import type { Session } from '../../model/session.ts'
import { identityOf } from '../../platforms/identities.ts'
import { type Column, counted, cutTo, table } from '../../render/table.ts'
import { printable, type Screen, shownLine } from '../../render/terminal.ts'
import { dated, shortKey, shortPeer, withoutPeer } from '../../render/text.ts'
import { LONGEST_ID, shortId } from '../../selection/session-names.ts'
import {
  isFailing,
  type JobWithRuns,
  lastOf,
  nextOf,
  overdueSince,
  runsPerDay,
  scheduleWords,
} from './schedules.ts'

export const output = () => {
  const { job, run } = cronShapes()
  return z.object({
    version: z.literal(1),
    scanned: scannedShape(),
    notices: noticesShape(),
    total: z.number(),
    jobs: z.array(job),
    runs: z.optional(z.array(run)),
    /** If nothing matches: the job that ran last. */
    lastRun: z.optional(z.object({ id: z.string(), name: text(), at: z.string() })),
  })
}

export type CronAnswer = z.output<ReturnType<typeof output>>

const time = () => z.nullable(z.string())
const text = () => z.nullable(z.string())
const figure = () => z.nullable(z.number())

const jobShape = () =>
  z.object({
    id: z.string(),
    name: text(),
    description: text(),
    agent: z.string(),
    enabled: z.boolean(),
    gone: z.boolean(),
    failing: z.boolean(),
    createdAt: time(),
    schedule: z.object({
      kind: text(),
      words: z.string(),
      expr: z.optional(z.string()),
      tz: z.optional(z.string()),
      everyMs: z.optional(z.number()),
      at: z.optional(z.string()),
    }),
    nextRunAt: time(),
    nextRunBy: z.nullable(z.enum(['state', 'last-run', 'schedule'])),
    /** When a run was expected that has not begun. */
    overdueSince: time(),
    target: text(),
    does: z.nullable(z.object({ kind: z.string(), text: text() })),
    delivery: z.nullable(z.object({ mode: text(), channel: text(), to: text() })),
    last: z.nullable(z.object({ at: time(), status: text(), error: text() })),
    consecutiveErrors: figure(),
    counts: z.object({ runs: z.number(), ok: z.number(), failed: z.number(), skipped: z.number() }),
    successRate: figure(),
    averageDurationMs: figure(),
    perDay: z.object({ runs: figure(), tokens: figure(), cost: figure() }),
    path: z.string(),
  })

const runShape = () =>
  z.object({
    job: z.string(),
    at: time(),
    nextRunAt: time(),
    status: z.string(),
    durationMs: figure(),
    delivery: text(),
    error: text(),
    summary: text(),
    model: text(),
    tokens: z.nullable(
      z.object({
        input: figure(),
        output: figure(),
        cacheRead: figure(),
        cacheWrite: figure(),
        total: figure(),
      }),
    ),
    cost: figure(),
    session: text(),
    readable: z.boolean(),
    path: z.string(),
  })

const cronShapes = () => ({ job: jobShape(), run: runShape() })
export type JobJson = z.output<ReturnType<typeof jobShape>>
type RunJson = z.output<ReturnType<typeof runShape>>

/** How texts and people are shown. */
export interface CronView {
  now: number
  clean(text: string): string
  /** Show numbers and names of people in full. */
  identities: boolean
}

export function jobJson(each: JobWithRuns, view: CronView): JobJson {
  const { job, runs } = each
  const peer = view.identities ? undefined : job.delivery?.to
  const clean = (value: string | undefined): string | null =>
    value === undefined ? null : withoutPeer(view.clean(value), peer)
  const { schedule, delivery, does, state } = job
  const { runs: count, ok, failed, skipped, ...figures } = figuresOf(job, runs, view.now)
  const last = lastOf(each)
  const next = nextOf(each, view.now)
  return {
    id: view.clean(job.id),
    name: clean(job.name),
    description: clean(job.description),
    agent: view.clean(job.agent),
    enabled: job.enabled,
    gone: job.gone,
    failing: isFailing(each),
    createdAt: isoTime(job.createdMs),
    schedule: {
      kind: schedule?.kind ?? null,
      words: view.clean(scheduleWords(schedule)),
      ...(schedule?.kind === 'cron' ? { expr: view.clean(schedule.expr), tz: schedule.tz } : {}),
      ...(schedule?.kind === 'every' ? { everyMs: schedule.everyMs } : {}),
      ...(schedule?.kind === 'at' ? { at: isoTime(schedule.atMs)! } : {}),
    },
    nextRunAt: isoTime(next?.atMs),
    nextRunBy: next?.by ?? null,
    overdueSince: isoTime(overdueSince(each, view.now)),
    target: job.target === undefined ? null : view.clean(view.identities ? job.target : shortKey(job.target)),
    does: does ? { kind: view.clean(does.kind), text: clean(does.text) } : null,
    delivery: delivery
      ? {
          mode: clean(delivery.mode),
          channel: clean(delivery.channel),
          to:
            delivery.to === undefined
              ? null
              : view.clean(view.identities ? delivery.to : shortPeer(delivery.to)),
        }
      : null,
    last:
      last.status === undefined && last.atMs === undefined
        ? null
        : { at: isoTime(last.atMs), status: clean(last.status), error: clean(last.error) },
    consecutiveErrors: state.consecutiveErrors ?? null,
    counts: { runs: count, ok, failed, skipped },
    ...figures,
    path: job.path,
  }
}

/** `sessions` holds the readable transcripts by id. */
export function runJson(
  run: CronRun,
  { job }: JobWithRuns,
  sessions: ReadonlyMap<string, Session>,
  view: CronView,
): RunJson {
  const peer = view.identities ? undefined : job.delivery?.to
  const clean = (value: string | undefined): string | null =>
    value === undefined ? null : withoutPeer(view.clean(value), peer)
  const { usage } = run
  const known = (value: number | undefined): number | null => value ?? null
  return {
    job: view.clean(run.jobId),
    at: isoTime(timeOfRun(run)),
    nextRunAt: isoTime(run.nextRunMs),
    status: clean(run.status)!,
    durationMs: known(run.durationMs),
    delivery: clean(run.deliveryStatus) ?? (run.delivered === undefined ? null : deliveryOf(run.delivered)),
    error: clean(run.error),
    summary: clean(run.summary),
    model: clean(run.model),
    tokens:
      usage?.total === undefined
        ? null
        : {
            input: known(usage.input),
            output: known(usage.output),
            cacheRead: known(usage.cacheRead),
            cacheWrite: known(usage.cacheWrite),
            total: usage.total,
          },
    cost: known(usage?.cost),
    session: clean(run.sessionId),
    readable: run.sessionId !== undefined && sessions.has(run.sessionId),
    path: run.path,
  }
}

const deliveryOf = (delivered: boolean): string => (delivered ? 'delivered' : 'not-delivered')

const DAY = 86_400_000

/** Sums over the runs of a job; null if unknown. */
interface CronFigures {
  runs: number
  ok: number
  failed: number
  skipped: number
  /** 0 to 1, of the runs that ended in success or in an error. */
  successRate: number | null
  averageDurationMs: number | null
  perDay: { runs: number | null; tokens: number | null; cost: number | null }
}

/** Sums the runs of one job, newest first. Runs without token counts or a cost are left out of those sums. */
export function figuresOf(job: CronJob, runs: readonly CronRun[], now: number): CronFigures {
  const of = (status: string): number => runs.filter((run) => run.status === status).length
  const [ok, failed] = [of('ok'), of('error')]
  const worked = runs.filter((run) => run.status !== 'skipped' && run.status !== 'running')
  const perDay = rateOf(job, runs, now)
  const daily = (each: number | null): number | null =>
    each === null || perDay === null ? null : each * perDay
  return {
    runs: runs.length,
    ok,
    failed,
    skipped: of('skipped'),
    successRate: ok + failed === 0 ? null : ok / (ok + failed),
    averageDurationMs: average(worked.map((run) => run.durationMs)),
    perDay: {
      runs: perDay,
      tokens: daily(average(worked.map((run) => run.usage?.total))),
      cost: daily(average(worked.map((run) => run.usage?.cost))),
    },
  }
}

/** Observed runs per day. A job that ran once, or only within one day, is estimated by its schedule. */
function rateOf(job: CronJob, runs: readonly CronRun[], now: number): number | null {
  if (job.schedule?.kind === 'at' || !job.enabled) return null
  const times = runs.flatMap((run) => timeOfRun(run) ?? [])
  const span = times.length > 1 ? times[0]! - times.at(-1)! : 0
  if (span >= DAY) return (times.length - 1) / (span / DAY)
  return runsPerDay(job.schedule, now) ?? null
}

function average(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each) / known.length
}

/** How many runs fill a screen. */
const SCREENFUL = 30
const NARROW = 170
/** How many characters of a task are shown. */
const WORDS = 110

const TARGETS: Readonly<Record<string, string>> = {
  main: 'the main session',
  isolated: 'a session of its own',
}

/** All jobs, one per line. */
export function* jobsText({ jobs, total }: CronAnswer, screen: Screen): Generator<string> {
  yield* table(jobs, jobColumns(jobs, screen), screen)
  const failing = jobs.filter((job) => job.failing)
  const rest = [
    ...(failing.length > 0 ? [`${failing.length} failing`] : []),
    ...(jobs.length < total ? [`${jobs.length} shown (--limit 0 shows all)`] : []),
  ]
  const summary = [counted(total, 'job'), ...rest].join(', ')
  const computed = jobs.some((job) => job.nextRunBy === 'schedule') ? ' ~ computed.' : ''
  yield `\n${summary}.${computed} Runs of one: ${screen.suggest('cron', [shortJobId(jobs[0]!, jobs)])}\n`
  const zone = sharedZone(jobs, screen)
  if (zone !== undefined)
    yield zone === hereZone()
      ? `Times are in ${zone}.\n`
      : `Dates are in ${hereZone()}, times of day in ${printable(zone)}.\n`
  else if (jobs.some(({ schedule }) => schedule.tz !== undefined && schedule.tz !== hereZone()))
    yield `LAST and NEXT are times in ${hereZone()}; a schedule is in its own time zone.\n`
}

const hereZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** On a screen, the time zone of all times of day is named once, below the table. */
function sharedZone(jobs: readonly JobJson[], screen: Screen): string | undefined {
  const zones = new Set(jobs.flatMap(({ schedule }) => (schedule.kind === 'cron' ? [schedule.tz] : [])))
  const [zone] = zones
  return Number.isFinite(screen.columns) && zones.size === 1 ? zone : undefined
}

/** The beginning of an id that `cron` accepts. */
function shortJobId({ id }: JobJson, jobs: readonly JobJson[]): string {
  const short = shortId(id)
  for (let length = LONGEST_ID; length < short.length; length++) {
    const beginning = short.slice(0, length)
    if (jobs.filter((each) => each.id.startsWith(beginning)).length === 1) return beginning
  }
  return short
}

/** The details of one job, then its runs. */
export function* runsText(answer: CronAnswer, screen: Screen): Generator<string> {
  const [job] = answer.jobs
  yield* jobText(job!, screen)
  const all = answer.runs!
  const runs = screen.terminal && all.length === answer.total ? all.slice(0, SCREENFUL) : all
  if (runs.length === 0) yield 'No run matches.\n'
  else {
    yield* table(runs, runColumns(screen), screen)
    const shown = runs.length < answer.total ? `, ${runs.length} shown (--limit 0 shows all)` : ''
    const read = runs.find((run) => run.readable)
    const way = read ? ` Read one: ${screen.suggest('read', [screen.suggest.id(read.session!)])}` : ''
    yield `\n${counted(answer.total, 'run')}${shown}.${way}\n`
  }
}

/** Nothing matches: reports what was read, and what to try. */
export function* nothingText({ scanned, lastRun }: CronAnswer, screen: Screen): Generator<string> {
  if (lastRun) {
    const { id, name, at } = lastRun
    yield `No cron job matches. The last one that ran is ${oneLine(name ?? id)}, at ${moment(at)}: ${screen.suggest('cron', [shortId(id)])}\n`
    return
  }
  yield 'No cron job matches. Searched:\n'
  yield* scannedLines(
    scanned.map((each) => ({ ...each, root: `${each.root}/cron` })),
    screen.home,
  )
  const flags = new Set(scanned.map(({ platform }) => `--${identityOf(platform).dirName}-dir <dir>`))
  yield `\nIf they are elsewhere, use ${[...flags].join(' or ')}. To see demo data: ${screen.suggest('cron', '--demo')}\n`
}

function jobColumns(jobs: readonly JobJson[], screen: Screen): Column<JobJson>[] {
  const narrow = screen.columns < NARROW
  const zone = sharedZone(jobs, screen)
  return [
    {
      title: 'ID',
      whole: true,
      most: LONGEST_ID,
      value: (job) => shortJobId(job, jobs),
      paint: 'cyan',
    },
    {
      title: 'NAME',
      value: (job) => job.name ?? '-',
      most: screen.columns < 100 ? 15 : Number.isFinite(screen.columns) ? 22 : 40,
      wraps: true,
    },
    { title: 'AGENT', value: (job) => job.agent, most: 8, from: 110 },
    { title: 'LAST', whole: true, value: (job) => lastText(job, screen.now) },
    { title: 'NEXT', whole: true, value: (job) => nextText(job, screen.now) },
    { title: 'OK', value: (job) => rate(job.successRate), align: 'right', from: 90 },
    { title: 'TAKES', value: (job) => duration(job.averageDurationMs), align: 'right', from: 110 },
    { title: 'A DAY', value: perDay, align: 'right', from: 124 },
    {
      title: 'SCHEDULE',
      value: ({ schedule }) =>
        schedule.kind === null
          ? '-'
          : zone === undefined
            ? schedule.words
            : schedule.words.replace(` (${schedule.tz})`, ''),
      wraps: true,
      ...(narrow ? { rest: true } : { most: Number.isFinite(screen.columns) ? 36 : undefined }),
    },
    { title: 'IN', value: (job) => job.target ?? '-', most: 18, from: 190 },
    { title: 'DOES', value: doesText, rest: true, from: NARROW },
  ]
}

const runColumns = ({ suggest }: Screen): Column<RunJson>[] => [
  { title: 'TIME', whole: true, value: (run) => moment(run.at) },
  { title: 'STATUS', value: (run) => run.status },
  { title: 'TOOK', value: (run) => duration(run.durationMs), align: 'right' },
  { title: 'DELIVERY', value: (run) => run.delivery ?? '-', from: 90 },
  { title: 'TOKENS', value: (run) => amount(run.tokens?.total ?? null), align: 'right' },
  { title: 'COST', value: (run) => money(run.cost), align: 'right', from: 110 },
  { title: 'SESSION', value: (run) => (run.readable ? suggest.id(run.session!) : '-'), paint: 'cyan' },
  { title: 'RESULT', value: (run) => run.error ?? run.summary ?? '', rest: true },
]

function* jobText(job: JobJson, screen: Screen): Generator<string> {
  const line = (name: string, text: string): string =>
    `${cutTo(`  ${name.padEnd(9)} ${oneLine(text)}`, screen.columns)}\n`
  const state = job.gone ? ', deleted' : job.enabled ? '' : ', switched off'
  yield `${oneLine(job.name ?? job.id)} (${oneLine(job.agent)}${state})\n`
  yield line('Id', job.id)
  yield line('Schedule', job.schedule.words)
  if (job.nextRunAt !== null)
    yield line(
      'Next',
      `${moment(job.nextRunAt)}${job.nextRunBy === 'schedule' ? ', computed from the schedule' : ''}`,
    )
  if (job.target !== null) yield line('Runs in', TARGETS[job.target] ?? job.target)
  if (job.does) yield line('Does', doesText(job))
  if (job.delivery) yield line('Delivers', deliveryText(job.delivery))
  const { runs, ok, failed, skipped } = job.counts
  if (runs > 0) {
    const parts = [
      `${ok} ok`,
      `${failed} failed`,
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
      ...(job.averageDurationMs === null ? [] : [`${duration(job.averageDurationMs)} each`]),
      ...(perDay(job) === '-' ? [] : [`${perDay(job)} a day`]),
    ]
    yield line('Runs', `${counted(runs, 'run')}: ${parts.join(', ')}`)
  }
  if (job.last?.error) yield line('Last', job.last.error)
  yield '\n'
}

const oneLine = (text: string): string => shownLine(text).slice(0, 300)

const moment = (iso: string | null): string => (iso === null ? '-' : dated(Date.parse(iso)))

/** Omits the year if it is the current one, otherwise the hour. */
function short(iso: string | null, now: number): string {
  const text = moment(iso)
  return text.startsWith(`${new Date(now).getFullYear()}-`) ? text.slice(5) : text.slice(0, 10)
}

const lastText = ({ last }: JobJson, now: number): string =>
  last === null ? 'never' : `${last.status ?? '?'} ${short(last.at, now)}`

function nextText(job: JobJson, now: number): string {
  if (job.gone) return 'deleted'
  if (!job.enabled) return 'off'
  const computed = job.nextRunBy === 'schedule' ? '~' : ''
  return isOverdue(job) ? 'overdue' : `${computed}${short(job.nextRunAt, now)}`
}

/** A one-time job whose time has passed without a run. */
const isOverdue = (job: JobJson): boolean =>
  job.schedule.kind === 'at' && job.nextRunAt === null && job.last === null

/** What the job does, and the beginning of its task. */
function doesText({ does }: JobJson): string {
  if (does === null) return '-'
  const words = (does.text ?? '').replace(/\s+/g, ' ').trim()
  const first = words.length > WORDS ? `${words.slice(0, WORDS - 1)}…`.toWellFormed() : words
  return first === '' ? does.kind : `${does.kind}: ${first}`
}

function deliveryText({ mode, channel, to }: NonNullable<JobJson['delivery']>): string {
  if (mode === 'none') return 'nowhere'
  return [mode, channel, to].filter((each) => each !== null).join(' ')
}

const rate = (part: number | null): string => (part === null ? '-' : `${Math.floor(part * 100)}%`)

/** The cost if known, otherwise the number of tokens. */
function perDay({ perDay: { cost, tokens } }: JobJson): string {
  return cost !== null ? money(cost) : tokens === null ? '-' : `${amount(tokens)} tok`
}

const money = (dollars: number | null): string =>
  dollars === null ? '-' : dollars < 0.01 ? '<$0.01' : `$${dollars.toFixed(2)}`

/** `410`, `20.6k`, `1.2M`. */
function amount(count: number | null): string {
  if (count === null) return '-'
  if (count < 1000) return String(Math.round(count))
  return count < 1e6 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`
}
