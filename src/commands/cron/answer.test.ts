import { describe, expect, it } from 'vitest'
import type { CronJob, CronRun, CronUsage } from '../../model/cron.ts'
import { shortKey, shortPeer, withoutPeer } from '../../render/text.ts'
import { figuresOf } from './answer.ts'
import { isFailing, lastOf } from './schedules.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 20)
const job = (more: Partial<CronJob> = {}): CronJob => ({
  ...{ id: 'ferns', agent: 'main', enabled: true, gone: false, state: {}, path: 'p' },
  schedule: { kind: 'every', everyMs: DAY / 4 },
  ...more,
})
const run = (daysAgo: number, status = 'ok', usage?: CronUsage, durationMs?: number): CronRun => ({
  ...{ jobId: 'ferns', startedMs: NOW - daysAgo * DAY, status, usage, durationMs, path: 'p' },
})

describe('the statistics of a job', () => {
  it('count runs by result, and ignore skipped and running ones for success and duration', () => {
    const runs = [
      run(0, 'running'),
      run(1, 'ok', {}, 3000),
      run(2, 'error', {}, 1000),
      run(3, 'skipped', {}, 1),
    ]
    expect(figuresOf(job(), runs, NOW)).toMatchObject({
      ...{ runs: 4, ok: 1, failed: 1, skipped: 1, successRate: 0.5, averageDurationMs: 2000 },
    })
  })

  it('compute the cost per day from the runs that state a cost and the frequency of all runs', () => {
    const runs = [
      run(0, 'ok', { total: 100, cost: 0.3 }),
      run(0.5),
      run(1),
      run(2, 'ok', { total: 300, cost: 0.1 }),
    ]
    expect(figuresOf(job(), runs, NOW).perDay).toEqual({ runs: 1.5, tokens: 300, cost: 0.2 * 1.5 })
  })

  it('use the schedule if the runs span less than a day', () => {
    expect(figuresOf(job(), [run(0, 'ok', { total: 10 })], NOW).perDay).toEqual({
      runs: 4,
      tokens: 40,
      cost: null,
    })
  })

  it('never show zero for an unknown value', () => {
    expect(figuresOf(job(), [], NOW)).toMatchObject({
      ...{ successRate: null, averageDurationMs: null },
      perDay: { runs: 4, tokens: null, cost: null },
    })
    const once = job({ schedule: { kind: 'at', atMs: NOW } })
    expect(figuresOf(once, [run(0, 'ok', { total: 10 })], NOW).perDay).toEqual({
      runs: null,
      tokens: null,
      cost: null,
    })
  })
})

describe('the last result of a job', () => {
  const state = (lastStatus: string, daysAgo: number) => ({
    lastStatus,
    lastRunMs: NOW - daysAgo * DAY,
    lastError: 'why',
  })

  it('comes from its log or its state, whichever is later', () => {
    expect(lastOf({ job: job({ state: state('error', 1) }), runs: [run(2)] }).status).toBe('error')
    expect(lastOf({ job: job({ state: state('error', 2) }), runs: [run(1)] }).status).toBe('ok')
    expect(lastOf({ job: job({ state: state('ok', 1) }), runs: [] })).toEqual({
      status: 'ok',
      atMs: NOW - DAY,
    })
    expect(lastOf({ job: job(), runs: [run(0, 'running'), run(1, 'error')] }).status).toBe('error')
  })

  it('does not count as a failure if the job is disabled or gone', () => {
    const failed = { state: state('error', 1) }
    expect(isFailing({ job: job(failed), runs: [] })).toBe(true)
    expect(isFailing({ job: job({ ...failed, enabled: false }), runs: [] })).toBe(false)
    expect(isFailing({ job: job({ ...failed, gone: true }), runs: [] })).toBe(false)
  })
})

it('numbers and addresses of people are shortened everywhere', () => {
  expect(['5550123', '+4915550123', 'telegram:5550123', 'abc', 'C0123456789'].map(shortPeer)).toEqual([
    '55…23',
    '+4…23',
    'telegram:55…23',
    'a…',
    'C0…89',
  ])
  expect(shortKey('session:agent:main:telegram:direct:5550123')).toBe(
    'session:agent:main:telegram:direct:55…23',
  )
  expect(shortKey('agent:main:whatsapp:15550123@s.whatsapp.net')).toBe('agent:main:whatsapp:15…et')
  expect(shortKey('agent:main:cron:12345678-0000-4000-8000-000000000001')).toBe(
    'agent:main:cron:12345678-0000-4000-8000-000000000001',
  )
  expect(withoutPeer('no chat 5550123 (telegram:5550123)', 'telegram:5550123')).toBe(
    'no chat 55…23 (telegram:55…23)',
  )
})
