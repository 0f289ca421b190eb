import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { put, temporaryHome } from '../../../../test/records.ts'
import { cron } from './book.ts'
import { jobOf } from './job.ts'
import { runOf } from './run.ts'

const JOB_KEYS = [
  ...[
    'id',
    'jobId',
    'name',
    'agentId',
    'enabled',
    'schedule',
    'kind',
    'expr',
    'cron',
    'tz',
    'everyMs',
    'anchorMs',
  ],
  ...[
    'at',
    'atMs',
    'payload',
    'message',
    'text',
    'command',
    'delivery',
    'deliver',
    'to',
    'channel',
    'mode',
    'state',
  ],
  ...[
    'lastRunAtMs',
    'lastStatus',
    'sessionKey',
    'sessionTarget',
    'updatedAtMs',
    'jobs',
    'version',
    '__proto__',
  ],
]
const RUN_KEYS = [
  ...[
    'ts',
    'timestamp',
    'jobId',
    'action',
    'status',
    'runAtMs',
    'durationMs',
    'error',
    'summary',
    'sessionId',
  ],
  ...['sessionKey', 'usage', 'cost', 'total', 'input_tokens', 'total_tokens', 'nextRunAt', 'constructor'],
]

/** Any JSON, with meaningful keys and values close to valid ones. */
const near = (keys: readonly string[]) =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom<unknown>(
        'cron',
        'every',
        'at',
        '* * * * *',
        '2026-11-01T08:00:00',
        'finished',
        'constructor',
      ),
      fc.constantFrom<unknown>(0, -1, 1e308, 8.64e15 + 1, 1793520000000, Number.MIN_VALUE),
      fc.dictionary(fc.constantFrom(...keys), tie('value')),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  })).value

describe('invalid cron data', () => {
  it('yields a job or none, and never throws', () => {
    fc.assert(
      fc.property(near(JOB_KEYS), near(JOB_KEYS), (value, state) => {
        const job = jobOf(value, { path: 'p', state })
        if (job) expect(typeof job.id).toBe('string')
      }),
    )
  })

  it('yields a run or none, and never throws', () => {
    fc.assert(
      fc.property(near(RUN_KEYS), (value) => {
        const run = runOf(value, { path: 'p', jobId: 'j' })
        if (run && run !== 'skipped') expect(typeof run.status).toBe('string')
      }),
    )
  })

  it('in files of any content still yields a list', () => {
    const home = temporaryHome()
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
      near(JOB_KEYS).map((each) => Buffer.from(JSON.stringify({ jobs: [each, each] }))),
      fc.array(near(RUN_KEYS)).map((each) => Buffer.from(each.map((row) => JSON.stringify(row)).join('\n'))),
    )
    fc.assert(
      fc.property(bytes, bytes, bytes, (jobs, states, runs) => {
        put(`${home}/cron/jobs.json`, jobs)
        put(`${home}/cron/jobs-state.json`, states)
        put(`${home}/cron/runs/any.jsonl`, runs)
        const book = cron({ platform: 'openclaw', path: home, reason: '', found: true }, 'all')
        expect(new Set(book.jobs.map(({ id }) => id)).size).toBe(book.jobs.length)
        for (const { jobId } of book.runs) expect(book.jobs.some(({ id }) => id === jobId)).toBe(true)
      }),
    )
  })
})
