import * as z from 'zod/mini'
import { type CronRun, timeOfRun } from '../../model/cron.ts'
import type { Session } from '../../model/session.ts'
import { shortKey, shortPeer, withoutPeer } from '../../render/peers.ts'
import { isFailing, type JobWithRuns, lastOf, nextOf, scheduleWords } from '../kit/schedules.ts'
import { figuresOf } from './figures.ts'

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

export const cronShapes = () => ({ job: jobShape(), run: runShape() })
export type JobJson = z.output<ReturnType<typeof jobShape>>
export type RunJson = z.output<ReturnType<typeof runShape>>

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
    createdAt: iso(job.createdMs),
    schedule: {
      kind: schedule?.kind ?? null,
      words: view.clean(scheduleWords(schedule)),
      ...(schedule?.kind === 'cron' ? { expr: view.clean(schedule.expr), tz: schedule.tz } : {}),
      ...(schedule?.kind === 'every' ? { everyMs: schedule.everyMs } : {}),
      ...(schedule?.kind === 'at' ? { at: iso(schedule.atMs)! } : {}),
    },
    nextRunAt: iso(next?.atMs),
    nextRunBy: next?.by ?? null,
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
        : { at: iso(last.atMs), status: clean(last.status), error: clean(last.error) },
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
    at: iso(timeOfRun(run)),
    nextRunAt: iso(run.nextRunMs),
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

const iso = (ms: number | undefined): string | null =>
  ms === undefined || Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString()
