import { describe, expect, it } from 'vitest'
import type { CronJob, CronSchedule } from '../../model/cron.ts'
import { type JobWithRuns, nextRun, overdueSince, runsPerDay, scheduleWords } from './schedules.ts'

const NOW = Date.parse('2026-10-24T12:00:00Z')
const MINUTE = 60_000
const cron = (expr: string, tz?: string): CronSchedule => ({ kind: 'cron', expr, tz })
const every = (everyMs: number, anchorMs?: number): CronSchedule => ({ kind: 'every', everyMs, anchorMs })
const next = (schedule: CronSchedule): string | undefined => {
  const ms = nextRun(schedule, NOW)
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

describe('a schedule in words', () => {
  it.each([
    ['*/15 * * * *', 'every 15 minutes'],
    ['* * * * *', 'every minute'],
    ['30 7 * * 1-5', 'at 07:30 on weekdays'],
    ['30 7 * * *', 'at 07:30 every day'],
    ['0 9,18 * * *', 'at 09:00 and 18:00 every day'],
    ['0 9 * * 1', 'at 09:00 on Monday'],
    ['15 10 * * 6,0', 'at 10:15 at weekends'],
    ['0 9 1 * *', 'at 09:00 on day 1 of the month'],
    ['0 */2 * * *', 'every 2 hours'],
    ['0 9-17 * * 1-5', 'every hour, between 09:00 and 17:00 on weekdays'],
    ['0 0 9 * * 1', 'at 09:00 on Monday'],
    ['@daily', 'at 00:00 every day'],
    ['61 * * * *', 'not understood: 61 * * * *'],
    ['now and then', 'not understood: now and then'],
    ['* '.repeat(500), 'not understood: an expression of great length'],
  ])('%s is %s', (expr, words) => {
    expect(scheduleWords(cron(expr))).toBe(words)
  })

  it('says by how much a job may be delayed, if somebody chose it', () => {
    expect(scheduleWords({ ...cron('0 9 * * *', 'UTC'), staggerMs: 7_200_000 } as CronSchedule)).toBe(
      'at 09:00 every day, delayed by up to 2 hours (UTC)',
    )
    expect(scheduleWords({ ...cron('0 9 * * *'), staggerMs: 60_000 } as CronSchedule)).toBe(
      'at 09:00 every day, delayed by up to 1 minute',
    )
    expect(scheduleWords({ ...cron('0 9 * * *'), staggerMs: 0 } as CronSchedule)).toBe('at 09:00 every day')
  })

  it('names the time zone if one is given', () => {
    expect(scheduleWords(cron('30 7 * * 1-5', 'Europe/Berlin'))).toBe('at 07:30 on weekdays (Europe/Berlin)')
  })

  it.each([
    [1, 'every millisecond'],
    [1500, 'every 1500 milliseconds'],
    [90_000, 'every 90 seconds'],
    [15 * MINUTE, 'every 15 minutes'],
    [60 * MINUTE, 'every hour'],
    [1440 * MINUTE, 'every day'],
    [7 * 1440 * MINUTE, 'every week'],
  ])('shows %i ms as %s', (ms, words) => {
    expect(scheduleWords(every(ms))).toBe(words)
  })

  it('shows a single time, an unknown schedule and a missing one', () => {
    expect(scheduleWords({ kind: 'at', atMs: Date.parse('2026-11-20T08:00:00Z') })).toBe(
      'once on 2026-11-20 08:00',
    )
    expect(scheduleWords({ kind: 'unknown', text: '{"every":"day"}' })).toBe(
      'not understood: {"every":"day"}',
    )
    expect(scheduleWords(undefined)).toBe('no schedule')
  })
})

describe('the next run', () => {
  it('of a cron expression is computed in its time zone, across the end of summer time', () => {
    expect(next(cron('30 7 * * *', 'Europe/Berlin'))).toBe('2026-10-25T06:30:00.000Z')
    expect(next(cron('30 13 * * *', 'Europe/Berlin'))).toBe('2026-10-25T12:30:00.000Z')
    expect(next(cron('30 7 * * *'))).toBe('2026-10-25T07:30:00.000Z')
  })

  it('of an interval is aligned to its anchor, before and after it', () => {
    expect(next(every(15 * MINUTE, NOW - 20 * MINUTE))).toBe('2026-10-24T12:10:00.000Z')
    expect(next(every(15 * MINUTE, NOW + 7 * MINUTE))).toBe('2026-10-24T12:07:00.000Z')
    expect(next(every(15 * MINUTE, NOW))).toBe('2026-10-24T12:15:00.000Z')
    const createdMs = NOW - 4 * MINUTE
    expect(nextRun(every(15 * MINUTE), NOW, { createdMs })).toBe(NOW + 11 * MINUTE)
    expect(nextRun(every(15 * MINUTE, NOW), NOW, { createdMs })).toBe(NOW + 15 * MINUTE)
  })

  it('of an interval is that much later than the last run, unless that has passed', () => {
    const createdMs = NOW - 100 * MINUTE
    const minutes = (lastRunMs: number): number =>
      (nextRun(every(15 * MINUTE), NOW, { createdMs, lastRunMs })! - NOW) / MINUTE
    expect(minutes(NOW - 4 * MINUTE)).toBe(11)
    expect(minutes(NOW - 15 * MINUTE)).toBe(5)
    expect(minutes(NOW - 200 * MINUTE)).toBe(5)
  })

  // What OpenClaw 2026.9.6 computes.
  it.each([
    ['30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00.000Z'],
    ['30 2,3 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['0 * * * *', '2026-10-25T00:00:00Z', '2026-10-25T02:00:00.000Z'],
    ['*/30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-26T01:00:00.000Z'],
    ['* * * * * *', '2026-10-25T00:59:59Z', '2026-10-25T02:00:00.000Z'],
  ])('of %s after %s skips a missing hour, and uses a repeated one once', (expr, from, wanted) => {
    const at = nextRun(cron(expr, 'Europe/Berlin'), Date.parse(from))
    expect(new Date(at!).toISOString()).toBe(wanted)
  })

  it.each([
    ['11111111-1111-4111-8111-111111111111', cron('0 * * * *', 'UTC'), '2026-11-28T02:02:32'],
    [
      '22222222-2222-4222-8222-222222222222',
      { ...cron('0 9 * * *', 'UTC'), staggerMs: 7_200_000 },
      '2026-11-28T09:24:27',
    ],
    [
      '11111111-1111-4111-8111-111111111111',
      { ...cron('0 * * * *', 'UTC'), staggerMs: 0 },
      '2026-11-28T02:00:00',
    ],
    ['11111111-1111-4111-8111-111111111111', cron('0 9 * * *', 'UTC'), '2026-11-28T09:00:00'],
    ['11111111-1111-4111-8111-111111111111', cron('30 * * * *', 'UTC'), '2026-11-28T02:30:00'],
    ['11111111-1111-4111-8111-111111111111', cron('0 0 */2 * * *', 'UTC'), '2026-11-28T02:02:32'],
  ])(
    'of the job %s is delayed by its id, where the schedule says so or it runs each hour',
    (id, schedule, wanted) => {
      const at = nextRun(schedule as CronSchedule, Date.parse('2026-11-28T01:59:30Z'), { id })
      expect(new Date(at!).toISOString().slice(0, 19)).toBe(wanted)
    },
  )

  it('of a single time is that time until it has passed', () => {
    expect(nextRun({ kind: 'at', atMs: NOW + 1 }, NOW)).toBe(NOW + 1)
    expect(nextRun({ kind: 'at', atMs: NOW }, NOW)).toBeUndefined()
  })

  it('is undefined for a schedule that is not understood, never occurs, or names an unknown time zone', () => {
    for (const schedule of [cron('61 * * * *'), cron('0 0 31 2 *'), cron('* * * * *', 'Europe/Atlantis')])
      expect(nextRun(schedule, NOW)).toBeUndefined()
    expect(nextRun(every(1e308), NOW)).toBeUndefined()
    expect(nextRun(undefined, NOW)).toBeUndefined()
  })
})

describe('the number of runs on a day', () => {
  it.each([
    ['0 9 * * *', 1],
    ['0 9 * * 1', 1 / 7],
    ['0 9,18 * * 1-5', 10 / 7],
    ['*/30 * * * *', 48],
    ['* * * * *', 1440],
  ])('of %s is %d', (expr, count) => {
    expect(runsPerDay(cron(expr), NOW)).toBeCloseTo(count, 5)
  })

  it('is known for an interval, and for nothing else that is not a cron expression', () => {
    expect(runsPerDay(every(15 * MINUTE), NOW)).toBe(96)
    expect(runsPerDay({ kind: 'at', atMs: NOW }, NOW)).toBeUndefined()
    expect(runsPerDay(cron('what'), NOW)).toBeUndefined()
  })
})

describe('a job', () => {
  const job = (
    schedule: CronSchedule,
    state: CronJob['state'],
    more: Partial<CronJob> = {},
  ): JobWithRuns => ({
    job: {
      id: 'a',
      agent: 'main',
      enabled: true,
      gone: false,
      path: '',
      schedule,
      state,
      ...more,
    } as CronJob,
    runs: [],
  })
  const overdue = (each: JobWithRuns): number | undefined => {
    const since = overdueSince(each, NOW)
    return since === undefined ? undefined : (NOW - since) / MINUTE
  }

  it('is overdue since the run that was expected after the last one', () => {
    const hourly = every(60 * MINUTE, NOW - 1440 * MINUTE)
    expect(overdue(job(hourly, { lastRunMs: NOW - 300 * MINUTE }))).toBe(240)
    expect(overdue(job(hourly, { lastRunMs: NOW - 300 * MINUTE, nextRunMs: NOW - 200 * MINUTE }))).toBe(200)
    expect(overdue(job(hourly, {}, { createdMs: NOW - 90 * MINUTE }))).toBe(60)
    const once: CronSchedule = { kind: 'at', atMs: NOW - 30 * MINUTE }
    expect(overdue(job(once, {}, { createdMs: NOW - 60 * MINUTE }))).toBe(30)
  })

  it('is not overdue in time, shortly after it, once it has run, and if it is disabled or gone', () => {
    const hourly = every(60 * MINUTE, NOW - 1440 * MINUTE)
    expect(overdue(job(hourly, { lastRunMs: NOW - 50 * MINUTE }))).toBe(undefined)
    expect(overdue(job(hourly, { lastRunMs: NOW - 70 * MINUTE, nextRunMs: NOW - 10 * MINUTE }))).toBe(
      undefined,
    )
    const once: CronSchedule = { kind: 'at', atMs: NOW - 300 * MINUTE }
    expect(overdue(job(once, { lastRunMs: NOW - 299 * MINUTE }))).toBe(undefined)
    for (const off of [{ enabled: false }, { gone: true }])
      expect(overdue(job(hourly, { lastRunMs: NOW - 300 * MINUTE }, off))).toBe(undefined)
    expect(overdue(job(cron('now and then'), { lastRunMs: NOW - 300 * MINUTE }))).toBe(undefined)
  })
})
