import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, checkout, type Json, json, printed, run } from '../program.ts'
import { openclaw, put, putOpenclaw, TOKEN, temporaryHome } from '../records.ts'
import { stateDatabase } from '../state-database.ts'

const fixture = (name: string, folder = '.openclaw'): string =>
  join(checkout, 'test/fixtures/openclaw', name, folder)
const of = (name: string, ...args: string[]) =>
  run(['cron', ...args, '--openclaw-dir', fixture(name)], temporaryHome())
/** Writes the file of jobs, and a log of the runs of one. */
const putJobs = (home: string, jobs: readonly object[], runs?: readonly object[]): void => {
  put(join(home, '.openclaw/cron/jobs.json'), JSON.stringify({ version: 1, jobs }))
  if (runs) put(join(home, '.openclaw/cron/runs/ferns.jsonl'), runs)
}
const finished = (more: object) => ({ jobId: 'ferns', action: 'finished', status: 'ok', ...more })
const ferns = (more: object = {}) => ({ id: 'ferns', name: 'Ferns', schedule: '0 9 * * *', ...more })

it('the times of a job include when it was created, and the next run that was noted after each run', () => {
  const home = temporaryHome()
  const [created, ran, next] = [1_795_000_000_000, 1_795_000_600_000, 1_795_086_400_000]
  putJobs(
    home,
    [ferns({ createdAtMs: created }), { ...ferns(), id: 'moss' }],
    [
      finished({ ts: ran, runAtMs: ran, nextRunAtMs: next }),
      finished({ ts: ran + 1000, runAtMs: ran + 1000 }),
    ],
  )
  expect(json(home, 'cron', 'ferns')).toMatchObject({
    jobs: [{ createdAt: new Date(created).toISOString() }],
    runs: [{ nextRunAt: null }, { nextRunAt: new Date(next).toISOString() }],
  })
  expect(json(home, 'cron', 'moss').jobs).toMatchObject([{ createdAt: null }])
})

it('a list without a match names the job that ran last, and a long id is shown as far as it is unique', () => {
  const home = temporaryHome()
  const id = 'nightly-greenhouse-report-of-the-north-wing'
  const at = 1_795_000_600_000
  putJobs(home, [
    { ...ferns(), id, schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Asia/Tokyo' } },
    { ...ferns(), id: 'nights' },
  ])
  put(join(home, '.openclaw/cron/runs', `${id}.jsonl`), [finished({ jobId: id, ts: at, runAtMs: at })])
  expect(json(home, 'cron', '--failed')).toMatchObject({
    total: 0,
    lastRun: { id, name: 'Ferns', at: new Date(at).toISOString() },
  })
  expect(run(['cron', '--failed'], home).stdout).toContain('The last one that ran is Ferns, at 2026-11-18')
  const { stdout } = run(['cron'], home, { env: { COLUMNS: '80' } })
  expect(stdout).toContain('nightly-greenhou  Ferns')
  expect(stdout).toContain('LAST and NEXT are times in UTC; a schedule is in its own time zone.')
  expect(json(home, 'cron', 'nightly-greenh')).toMatchObject({ jobs: [{ id }] })
})

it('a job has its whole name and schedule at 80 columns, and its row is in place however long its id is', () => {
  const home = temporaryHome()
  const schedule = { kind: 'cron', expr: '0 9 1,15 * *', tz: 'Asia/Tokyo' }
  const state = { lastStatus: 'error', lastRunAtMs: 1_600_000_000_000 }
  const job = { name: 'Report of the greenhouse', schedule, enabled: false, state }
  putJobs(home, [
    { ...job, id: 'nightly-greenhouse-report-of-the-north-wing' },
    { ...job, id: 'nightly-greenhouse-report-of-the-south-wing', name: 'South' },
    { ...job, id: 'ferns', name: 'Ferns' },
  ])
  expect(run(['cron'], home, { env: { COLUMNS: '80' } }).stdout).toMatchInlineSnapshot(`
    "ID     NAME             LAST              NEXT  SCHEDULE
    ferns  Ferns            error 2020-09-13  off   at 09:00 on day 1 and 15 of the
                                                    month
    nightly-greenhouse-report-of-the-n
           Report of the    error 2020-09-13  off   at 09:00 on day 1 and 15 of the
           greenhouse                               month
    nightly-greenhouse-report-of-the-s
           South            error 2020-09-13  off   at 09:00 on day 1 and 15 of the
                                                    month

    3 jobs. Runs of one: scrollback cron ferns
    Dates are in UTC, times of day in Asia/Tokyo.
    "
  `)
})

describe('the next run of a job', () => {
  const HOUR = 3_600_000
  const soon = Math.ceil(Date.now() / HOUR) * HOUR + 100 * HOUR
  const every = { kind: 'every', everyMs: 1000 * HOUR }
  const nextOf = (job: object, logged?: object) => {
    const home = temporaryHome()
    putJobs(home, [ferns({ schedule: every, ...job })], logged && [finished(logged)])
    const [{ nextRunAt, nextRunBy }] = json(home, 'cron').jobs
    return { at: Date.parse(nextRunAt), by: nextRunBy, text: run(['cron', 'ferns'], home).stdout }
  }

  it("comes from the scheduler's notes, in the state or in the log of the last run, before anything is computed", () => {
    const ran = soon - 500 * HOUR
    expect(nextOf({ state: { nextRunAtMs: soon, lastRunAtMs: ran } })).toMatchObject({
      at: soon,
      by: 'state',
    })
    const logged = { ts: ran, runAtMs: ran, nextRunAtMs: soon + HOUR }
    expect(nextOf({}, logged)).toMatchObject({ at: soon + HOUR, by: 'last-run' })
    const older = { nextRunAtMs: soon, lastRunAtMs: ran - HOUR }
    expect(nextOf({ state: older }, logged)).toMatchObject({ at: soon + HOUR, by: 'last-run' })
    expect(nextOf({ state: { nextRunAtMs: soon } }).text).not.toContain('computed')
  })

  it('is computed from the creation time if it is not noted, and marked as such', () => {
    const next = nextOf({ createdAtMs: soon - 1000 * HOUR, state: { nextRunAtMs: soon - 999 * HOUR } })
    expect(next).toMatchObject({ at: soon, by: 'schedule' })
    expect(next.text).toContain(', computed from the schedule')
  })
})

describe('the runs of a job', () => {
  it('name their readable transcripts, and read opens them', () => {
    const home = temporaryHome()
    const flags = ['--openclaw-dir', fixture('cron-files')]
    expect(json(home, 'cron', 'ferns', ...flags).runs).toMatchObject([
      { session: 'run-0002', readable: true, cost: 0.02 },
      { session: 'run-0001', readable: false, cost: null },
    ])
    expect(of('cron-files', 'ferns').stdout).toContain('Read one: scrollback read run-0002')
    expect(run(['read', 'run-0002', ...flags], home).stdout).toContain('Watered three ferns.')
  })

  it('are found by an id, its beginning, a name and a part of it', () => {
    for (const name of ['c0000000-0000-4000-8000-000000000001', 'Water the ferns', 'FERNS'])
      expect(of('cron-files', name).stdout).toContain('Watered three ferns.')
    expect(of('cron-files', 'c0000000-0000-4000-8000-000000000003').stdout).toContain('Reminded.')
  })

  it('require a unique name if several jobs or none match', () => {
    const several = of('cron-files', 'c0000000')
    expect({ ...several, stderr: several.stderr }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "scrollback: c0000000: 4 cron jobs match
      Use a longer part of the id or name: c0000000-0000-4000-8000-000000000001 (Water the ferns), c0000000-0000-4000-8000-000000000002 (Moss report), c0000000-0000-4000-8000-000000000004 (Wind up the hose), c0000000-0000-4000-8000-000000000003
      ",
        "stdout": "",
      }
    `)
    const none = of('cron-files', 'roses')
    expect(none).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": "scrollback: roses: no such cron job
      Known jobs: c0000000-0000-4000-8000-000000000001 (Water the ferns), c0000000-0000-4000-8000-000000000002 (Moss report), c0000000-0000-4000-8000-000000000004 (Wind up the hose), c0000000-0000-4000-8000-000000000003
      ",
        "stdout": "",
      }
    `)
    expect(of('cron-list', 'x', '--agent', 'nobody').stderr).toContain('No cron jobs found')
  })

  it('can be limited to failed ones, to a time and to a number', () => {
    expect(of('cron-files', 'ferns', '--failed').stdout).not.toContain('Watered')
    expect(of('cron-files', 'ferns', '--since', '2026-11-01T07:50').stdout).toContain('\n1 run.')
    expect(of('cron-files', 'ferns', '--limit', '1').stdout).toContain('2 runs, 1 shown')
    expect(of('cron-files', 'ferns', '--since', '2026-11-02').stdout).toContain('No run matches.')
  })
})

describe('the list of jobs', () => {
  it('shows failing jobs first, and can be limited to those, to an agent and to a time', () => {
    const names = (...args: string[]) =>
      JSON.parse(of('cron-files', '--json', ...args).stdout).jobs.map(({ name }: Json) => name)
    expect(names()).toEqual(['Moss report', 'Water the ferns', 'Wind up the hose', null])
    expect(names('--failed')).toEqual(['Moss report'])
    expect(names('--agent', 'Garden')).toEqual(['Moss report', null])
    expect(names('--since', '2026-11-01T08:00')).toEqual(['Water the ferns', null])
    expect(names('--limit', '1')).toEqual(['Moss report'])
  })

  it('shortens numbers of people in all output unless they are requested', () => {
    for (const args of [[], ['--json'], ['ferns'], ['ferns', '--json'], ['hose', '--json']]) {
      expect(of('cron-files', ...args).stdout).not.toContain('5550123')
      if (args.includes('--json'))
        expect(of('cron-files', ...args, '--identities').stdout).toContain('5550123')
    }
  })

  it('redacts secrets in every text, and removes escape sequences', () => {
    const payload = { kind: 'agentTurn', message: `use ${TOKEN}` }
    const texts = { name: `Ferns ${TOKEN}`, description: TOKEN, payload, agentId: '\x1b[31mred' }
    const state = { lastStatus: 'error', lastError: `401 for ${TOKEN}`, lastRunAtMs: 1793520000000 }
    const home = temporaryHome()
    const failed = { ts: 1793520000000, status: 'error', error: `401 for ${TOKEN} \x1b]0;title\x07` }
    putJobs(home, [ferns({ ...texts, state })], [{ ...failed, summary: TOKEN }])
    for (const line of ['cron', 'cron --json', 'cron ferns', 'cron ferns --json', '', '--json']) {
      const args = line.split(' ').filter((each) => each !== '')
      const { stdout, stderr } = run(args, home)
      expect(stdout + stderr).not.toContain(TOKEN.slice(4, 13))
      expect(stdout + stderr).not.toMatch(/\x1b|\x07/)
    }
    expect(run(['cron', 'ferns', '--json', '--no-redact'], home).stdout).toContain(TOKEN)
  })

  it('shows a job once if it is in an old home and in the new one', () => {
    const home = temporaryHome()
    const file = (folder: string, more: object) =>
      put(join(home, folder, 'cron/jobs.json'), JSON.stringify({ jobs: [ferns(more)] }))
    file('.clawdbot', { name: 'Old ferns', updatedAtMs: 1793520000000 })
    file('.openclaw', { name: 'New ferns', updatedAtMs: 1793530000000 })
    expect(json(home, 'cron').jobs).toMatchObject([{ name: 'New ferns' }])
  })

  it('reports what it could not read and ends with exit code 3, except for damaged lines', () => {
    const { stdout, stderr, code } = of('cron-damaged')
    const own = (text: string): string => text.replaceAll(checkout, '<package>')
    expect({ stdout: own(stdout), stderr: own(stderr), code }).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "<package>/test/fixtures/openclaw/cron-damaged/.openclaw/cron/jobs.json: cannot be read (JSON5: invalid character '}' at 1:50)
      <package>/test/fixtures/openclaw/cron-damaged/.openclaw/cron/runs/ferns.jsonl: 2 lines are damaged; the other runs are shown
      ",
        "stdout": "ID	NAME	AGENT	LAST	NEXT	OK	TAKES	A DAY	SCHEDULE	IN	DOES
      ferns	-	main	ok 11-01 08:29	-	100%	10s	-	-	-	-

      1 job. Runs of one: scrollback cron ferns --openclaw-dir <package>/test/fixtures/openclaw/cron-damaged/.openclaw
      ",
      }
    `)
    const home = temporaryHome()
    put(join(home, '.openclaw/cron/jobs.json'), JSON.stringify([ferns()]))
    put(join(home, '.openclaw/cron/runs/ferns.jsonl'), 'damaged\n{"ts":1793520000000,"status":"ok"}\n')
    expect(run(['cron'], home)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 line is damaged'),
    })
  })

  it('shows a job with a schedule that it does not understand', () => {
    const home = temporaryHome()
    putJobs(home, [ferns({ schedule: { kind: 'cron', expr: 'at noon', tz: 'Nowhere/None' } })])
    const words = 'not understood: at noon (Nowhere/None)'
    expect(JSON.parse(printed(home, 'cron', '--json')).jobs).toMatchObject([
      { schedule: { words }, nextRunAt: null },
    ])
  })

  it('includes jobs from the state database', () => {
    const home = temporaryHome()
    const database = stateDatabase(join(home, '.openclaw'), 'late')
    database.job('ferns', ferns(), { lastStatus: 'error', lastError: 'no water', lastRunAtMs: 1793520000000 })
    database.close()
    expect(run(['cron', '--failed'], home).stdout).toContain('Ferns')
    expect(run(['cron', 'ferns'], home).stdout).toContain('no water')
  })
})

describe('the overview', () => {
  it('shows failing jobs in one line, and nothing if none fails', async () => {
    const environment = (name: string) => ({
      ...{ home: '/home/ann', variables: {}, claudeDirs: [] },
      dirs: { openclaw: [fixture(name)] },
    })
    const line = (text: string) => text.split('\n').filter((each) => each.startsWith('!'))
    const { text } = await answer('overview', {}, environment('cron-files'))
    expect(line(text)).toEqual(['! 1 cron job fails: Moss report. See them: scrollback cron --failed'])
    expect(line((await answer('overview', {}, environment('cron-list'))).text)).toEqual([])
  })

  it.each([
    [3, '! 3 cron jobs fail: Job 1, Job 2, Job 3. See them: scrollback cron --failed'],
    [5, '! 5 cron jobs fail: Job 1, Job 2, Job 3, and 2 more. See them: scrollback cron --failed'],
  ])('names three of %i failing jobs, and counts the rest', async (count, expected) => {
    const home = temporaryHome()
    const database = stateDatabase(join(home, '.openclaw'), 'late')
    const failed = { lastStatus: 'error', lastError: 'no water', lastRunAtMs: 1793520000000 }
    for (let number = 1; number <= count; number++)
      database.job(`job-${number}`, ferns({ id: `job-${number}`, name: `Job ${number}` }), failed)
    database.close()
    putOpenclaw(home, 'moss.jsonl', [openclaw.header('moss'), openclaw.user(1, 'Water the moss')])
    const { text } = await answer('overview', {}, { home, variables: {} })
    expect(text.split('\n').filter((each) => each.startsWith('!'))).toEqual([expected])
  })
})
