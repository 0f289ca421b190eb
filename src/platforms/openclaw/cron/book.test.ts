import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixtureRoot } from '../../../../test/openclaw-fixtures.ts'
import { put, temporaryHome } from '../../../../test/records.ts'
import { STATE_CANARY, stateDatabase } from '../../../../test/state-database.ts'
import type { CronBook, CronJob, CronRun } from '../../../model/cron.ts'
import { cron } from './book.ts'
import { jobOf, runOf } from './records.ts'

const read = (name: string): CronBook => cron(fixtureRoot(name), 'all')

const day = (ms: number | undefined): string => (ms === undefined ? '-' : new Date(ms).toISOString())

/** A job as one readable line. */
function readableJob(job: CronJob): string {
  const { schedule, does, delivery, state } = job
  const parts = [
    `${job.id.replace(/^.*-0+/, '#')} ${job.name ?? '(no name)'} of ${job.agent}`,
    JSON.stringify(schedule)?.replaceAll('"', ''),
    `${does?.kind}: ${does?.text}`,
    job.target && `in ${job.target}`,
    delivery && `to ${delivery.mode} ${delivery.channel ?? ''} ${delivery.to ?? ''}`.trim(),
    state.lastStatus && `${state.lastStatus} at ${day(state.lastRunMs)}`,
    state.lastError,
    job.enabled ? '' : 'off',
    job.gone ? 'gone' : '',
  ]
  return parts.filter((part) => part).join(' | ')
}

const readableRun = (run: CronRun): string =>
  `${run.jobId.replace(/^.*-0+/, '#')} ${day(run.startedMs)} ${run.status} ${run.durationMs} ${run.error ?? run.summary} ${run.sessionId ?? ''}`

describe('jobs and runs in files', () => {
  it('are listed with their state, and as gone if only a log contains them', () => {
    const { jobs, runs, notices } = read('cron-files')
    expect(jobs.map(readableJob)).toMatchInlineSnapshot(`
      [
        "#1 Water the ferns of main | {kind:every,everyMs:900000,anchorMs:1793520000000} | agentTurn: Look at the ferns and water what is dry. | in isolated | to announce telegram 5550123 | ok at 2026-11-01T08:00:00.000Z",
        "#2 Moss report of garden | {kind:cron,expr:30 7 * * 1-5,tz:Europe/Berlin} | systemEvent: Report on the moss. | in main | error at 2026-11-01T07:00:00.000Z | the hose leaks",
        "#4 Wind up the hose of main | {kind:at,atMs:1798099200000} | command: hose --wind | in session:agent:main:telegram:direct:5550123 | off",
        "#3 (no name) of garden | undefined: undefined | off | gone",
      ]
    `)
    expect(runs.map(readableRun)).toMatchInlineSnapshot(`
      [
        "#1 2026-11-01T08:00:00.000Z ok 12500 Watered three ferns. run-0002",
        "#3 2026-11-01T08:00:00.000Z ok 900 Reminded. run-0003",
        "#1 2026-11-01T07:45:00.000Z error 12500 no can for telegram:5550123 run-0001",
      ]
    `)
    expect(notices).toEqual([])
  })

  it('have the tokens that a run states, and none if it states none', () => {
    const [newest] = read('cron-files').runs.filter(({ summary }) => summary === 'Watered three ferns.')
    expect(newest!.usage).toEqual({
      input: 7,
      output: 14,
      cacheRead: 20100,
      cacheWrite: 455,
      total: 20576,
      cost: undefined,
    })
    expect(read('cron-files').runs.at(-1)!.usage).toBeUndefined()
  })

  it('are read in every old spelling, and entries that are not jobs are reported', () => {
    const { jobs, runs, notices } = read('cron-legacy')
    expect(jobs.map(readableJob)).toMatchInlineSnapshot(`
      [
        "#1 Water the ferns of main | {kind:every,everyMs:900000} | agentTurn: Water the ferns. | to announce whatsapp +4915550123",
        "moss (no name) of main | {kind:cron,expr:0 9 * * 1} | agentTurn: Report on the moss.",
        "hose (no name) of main | {kind:cron,expr:0 */2 * * *} | systemEvent: Look at the hose. | in main | off",
        "seeds (no name) of main | {kind:at,atMs:1796112000000} | command: order seeds",
        "pots (no name) of main | {kind:at,atMs:1796112000000} | agentTurn: Count the pots. | to none telegram",
        "Without an id Without an id of main | {kind:unknown,text:{\\every\\:\\now and then\\}} | undefined: undefined",
      ]
    `)
    expect(runs.map(readableRun)).toMatchInlineSnapshot(`
      [
        "#1 2026-01-31T10:15:00.000Z ok 12500 Nothing is dry ",
      ]
    `)
    expect(notices.map(({ message }) => message)).toEqual(['2 entries not valid as a job'])
  })

  it('may be a bare list', () => {
    expect(read('cron-list').jobs.map(readableJob)).toEqual([
      'ferns Ferns of main | {kind:every,everyMs:3600000} | script: water.sh',
    ])
  })

  it('use the newer of two states, from either file', () => {
    expect(read('cron-state-file').jobs.map(readableJob)).toMatchInlineSnapshot(`
      [
        "#1 Water the ferns of main | {kind:every,everyMs:900000} | agentTurn: Water. | ok at 2026-11-01T08:00:00.000Z",
        "#2 Moss report of main | {kind:every,everyMs:900000} | agentTurn: Report. | ok at 2026-11-01T08:00:05.000Z",
      ]
    `)
  })

  it('come from the copies of a migration if nothing newer exists', () => {
    const { jobs, runs } = read('cron-migrated')
    expect(jobs.map(readableJob)).toMatchInlineSnapshot(`
      [
        "#2 Moss report, once more of main | {kind:every,everyMs:900000} | undefined: undefined",
        "#1 Ferns, as they were of main | {kind:every,everyMs:900000} | undefined: undefined | ok at 2026-11-01T08:00:00.000Z",
      ]
    `)
    expect(runs.map(readableRun)).toMatchInlineSnapshot(`
      [
        "#1 2026-11-01T08:00:00.000Z ok 10000 In the old log too. ",
        "#1 2026-11-01T07:45:00.000Z ok 10000 Only in the old log. ",
      ]
    `)
    expect(runs[0]!.model).toBe('claude-sonnet-4-6')
  })

  it('are gone if only the copies of a migration contain them, and a newer file does not', () => {
    const home = temporaryHome()
    const job = { id: 'ferns', name: 'Ferns', schedule: '0 9 * * *' }
    put(`${home}/cron/jobs.json.migrated`, JSON.stringify([job, { ...job, id: 'moss' }]))
    put(`${home}/cron/jobs.json`, JSON.stringify([job]))
    const { jobs } = cron({ platform: 'openclaw', path: home, reason: '', found: true }, 'all')
    expect(jobs.map(({ id, gone }) => `${id} ${gone}`)).toEqual(['ferns false', 'moss true'])
  })

  it('are read around damage, and all damage is reported', () => {
    const { jobs, runs, notices, damages } = read('cron-damaged')
    expect(jobs.map(readableJob)).toMatchInlineSnapshot(`
      [
        "ferns (no name) of main | undefined: undefined",
      ]
    `)
    expect(runs.map(readableRun)).toMatchInlineSnapshot(`
      [
        "ferns 2026-11-01T08:29:50.000Z ok 10000 undefined ",
        "ferns 2026-11-01T08:14:50.000Z ok 10000 undefined ",
        "ferns 2026-11-01T07:59:50.000Z ok 10000 undefined ",
      ]
    `)
    expect(notices.map(({ message }) => message.replace(/ at \d.*/, ''))).toMatchInlineSnapshot(`
      [
        "cannot be read (JSON5: invalid character '}'",
      ]
    `)
    expect(damages.map(({ message }) => message)).toEqual(['2 lines are damaged; the other runs are shown'])
  })

  it('are read from the end of a long log if only the last run is requested', () => {
    const home = temporaryHome()
    const entry = (at: number) => ({ ts: at, status: 'ok', runAtMs: at, summary: 'x'.repeat(1000) })
    const start = Date.UTC(2026, 0, 1)
    put(
      `${home}/cron/runs/ferns.jsonl`,
      Array.from({ length: 500 }, (_, index) => entry(start + index * 60_000)),
    )
    const root = { platform: 'openclaw', path: home, reason: '', found: true } as const
    const [all, last] = [cron(root, 'all'), cron(root, 'last')]
    expect(all.runs.length).toBe(500)
    expect(last.runs.length).toBeLessThan(100)
    expect(last.runs[0]).toEqual(all.runs[0])
    expect(last.damages).toEqual([])
  })
})

const FERN = 'c0000000-0000-4000-8000-000000000001'
const MOSS = 'c0000000-0000-4000-8000-000000000002'
const AT = Date.UTC(2026, 10, 1, 8)
const ferns = {
  name: 'Ferns',
  schedule: { kind: 'every', everyMs: 900_000 },
  payload: { kind: 'agentTurn', message: 'Water.' },
}

const readFrom = (path: string): CronBook =>
  cron({ platform: 'openclaw', path, reason: '', found: true }, 'all')

const runLines = ({ runs }: CronBook): string[] =>
  runs.map(
    ({ jobId, startedMs, status, summary, error, sessionId, model }) =>
      `${jobId} ${new Date(startedMs ?? 0).toISOString().slice(11, 19)} ${status} ${summary ?? error} ${sessionId} ${model}`,
  )

describe('jobs and runs in the state database', () => {
  it('are read from the schema with a log of runs', () => {
    const home = temporaryHome()
    const database = stateDatabase(home, 'early')
    database.job(FERN, ferns, { lastRunAtMs: AT, lastRunStatus: 'ok', nextRunAtMs: AT + 900_000 })
    const run = { ts: AT + 400, runAtMs: AT, durationMs: 400, action: 'finished', status: 'ok' }
    database.log(FERN, { ...run, jobId: FERN, summary: 'Watered.', sessionId: 's-1', model: 'm' })
    database.log(FERN, { ...run, action: 'started' })
    database.close()
    const book = readFrom(home)
    expect(book.jobs).toMatchObject([
      { id: FERN, name: 'Ferns', gone: false, state: { lastStatus: 'ok', nextRunMs: AT + 900_000 } },
    ])
    expect(runLines(book)).toEqual([`${FERN} 08:00:00 ok Watered. s-1 m`])
    expect(book.notices).toEqual([])
  })

  it('are read from the schema with tasks and receipts, each run once', () => {
    const home = temporaryHome()
    const database = stateDatabase(home, 'late')
    database.job(FERN, { ...ferns, displayName: 'All ferns', state: {} }, { lastStatus: 'error' }, AT)
    const key = `agent:garden:cron:${FERN}:run:s-1`
    database.task(FERN, {
      label: 'Ferns',
      key,
      at: AT,
      detail: {
        kind: 'cron-run',
        status: 'ok',
        summary: 'Watered.',
        runAtMs: AT,
        durationMs: 400,
        model: 'm',
      },
    })
    database.receipt(FERN, 'ok', AT)
    database.receipt(FERN, 'error', AT + 900_000, 'the hose leaks')
    database.receipt(FERN, 'running', AT + 1_800_000)
    database.task('gone', { label: 'Moss', at: AT - 1000 })
    database.task('4c29543e', { runtime: 'cli', at: AT })
    database.close()
    const book = readFrom(home)
    expect(runLines(book)).toEqual([
      `${FERN} 08:30:00 running undefined undefined undefined`,
      `${FERN} 08:15:00 error the hose leaks undefined undefined`,
      `${FERN} 08:00:00 ok Watered. s-1 m`,
      'gone 07:59:59 ok done undefined undefined',
    ])
    expect(book.jobs.map(({ id, name, gone }) => `${id} ${name} ${gone}`)).toEqual([
      `${FERN} All ferns false`,
      'gone Moss true',
    ])
  })

  it('take precedence over the copies of a migration, which add what is missing', () => {
    const home = temporaryHome()
    cpSync(join(fixtureRoot('cron-migrated').path, 'cron'), join(home, 'cron'), { recursive: true })
    const database = stateDatabase(home, 'late')
    database.job(FERN, ferns, { lastRunAtMs: AT, lastStatus: 'ok' }, AT)
    database.task(FERN, {
      at: AT,
      detail: {
        kind: 'cron-run',
        status: 'ok',
        summary: 'In the database.',
        runAtMs: AT,
        durationMs: 10_000,
      },
    })
    database.close()
    const book = readFrom(home)
    expect(book.jobs.map(({ name, gone }) => `${name} ${gone}`)).toEqual([
      'Ferns false',
      'Moss report, once more true',
    ])
    expect(runLines(book)).toEqual([
      `${FERN} 08:00:00 ok In the database. undefined claude-sonnet-4-6`,
      `${FERN} 07:45:00 ok Only in the old log. undefined undefined`,
    ])
  })

  it('are read while OpenClaw has the database open, and no file is left next to it', () => {
    const home = temporaryHome()
    const database = stateDatabase(home, 'late')
    database.job(FERN, ferns)
    expect(readFrom(home).jobs.length).toBe(1)
    database.job(MOSS, ferns)
    expect(readFrom(home).jobs.length).toBe(2)
    database.close()
    const before = readFileSync(database.path)
    expect(readFrom(home).jobs.length).toBe(2)
    expect(readdirSync(dirname(database.path))).toEqual(['openclaw.sqlite'])
    expect(readFileSync(database.path).equals(before)).toBe(true)
  })

  it('are reported if they cannot be understood, and the others are read', () => {
    const home = temporaryHome()
    const database = stateDatabase(home, 'late')
    database.job(FERN, ferns, 'not JSON')
    database.close()
    const { jobs, notices } = readFrom(home)
    expect(jobs.map(({ name }) => name)).toEqual(['Ferns'])
    expect(notices).toEqual([])
    rmSync(database.path)
    put(database.path, 'this was never a database')
    expect(readFrom(home).notices.map(({ message }) => message)).toEqual([
      'its cron jobs cannot be read (it is not a database)',
    ])
  })

  it('are empty if the database has no such tables', () => {
    const home = temporaryHome()
    const database = stateDatabase(home, 'early')
    database.close()
    expect(readFrom(home)).toMatchObject({ jobs: [], runs: [], notices: [] })
    expect(existsSync(database.path)).toBe(true)
  })
})

describe('the queries of the state database', () => {
  it('never return the content of its other tables', () => {
    const home = temporaryHome()
    for (const generation of ['early', 'late'] as const) {
      const database = stateDatabase(join(home, generation), generation)
      database.job(FERN, ferns)
      database.close()
      expect(JSON.stringify(readFrom(join(home, generation)))).not.toContain(STATE_CANARY)
    }
  })
})

const JOB_KEYS = [
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
  'lastRunAtMs',
  'lastStatus',
  'sessionKey',
  'sessionTarget',
  'updatedAtMs',
  'jobs',
  'version',
  '__proto__',
]
const RUN_KEYS = [
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
  'sessionKey',
  'usage',
  'cost',
  'total',
  'input_tokens',
  'total_tokens',
  'nextRunAt',
  'constructor',
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
