import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, checkout, run } from '../program.ts'
import { openclaw, put, putOpenclaw, temporaryHome } from '../records.ts'
import { stateDatabase } from '../state-database.ts'

const fixture = (name: string, folder = '.openclaw'): string =>
  join(checkout, 'test/fixtures/openclaw', name, folder)
const of = (name: string, ...args: string[]) =>
  run(['cron', ...args, '--openclaw-dir', fixture(name)], temporaryHome())
const ferns = (more: object = {}) => ({ id: 'ferns', name: 'Ferns', schedule: '0 9 * * *', ...more })

/** The jobs as JSON, for a file with the given jobs. */
function jobsOf(jobs: readonly object[], ...args: string[]) {
  const home = temporaryHome()
  put(join(home, '.openclaw/cron/jobs.json'), JSON.stringify({ version: 1, jobs }))
  const result = run(['cron', '--json', ...args], home)
  return {
    ...result,
    ...(result.stdout ? (JSON.parse(result.stdout) as { jobs: Record<string, unknown>[] }) : { jobs: [] }),
  }
}

describe('the times of a job', () => {
  it('include when it was created, and the next run that was noted after each run', () => {
    const home = temporaryHome()
    const [created, ran, next] = [1_795_000_000_000, 1_795_000_600_000, 1_795_086_400_000]
    put(
      join(home, '.openclaw/cron/jobs.json'),
      JSON.stringify({ version: 1, jobs: [ferns({ createdAtMs: created }), { ...ferns(), id: 'moss' }] }),
    )
    put(join(home, '.openclaw/cron/runs/ferns.jsonl'), [
      { jobId: 'ferns', action: 'finished', status: 'ok', ts: ran, runAtMs: ran, nextRunAtMs: next },
      { jobId: 'ferns', action: 'finished', status: 'ok', ts: ran + 1000, runAtMs: ran + 1000 },
    ])
    const { jobs, runs } = JSON.parse(run(['cron', 'ferns', '--json'], home).stdout) as {
      jobs: { createdAt: string | null }[]
      runs: { nextRunAt: string | null }[]
    }
    expect(jobs.map(({ createdAt }) => createdAt)).toEqual([new Date(created).toISOString()])
    expect(runs.map(({ nextRunAt }) => nextRunAt)).toEqual([null, new Date(next).toISOString()])
    const [moss] = (
      JSON.parse(run(['cron', 'moss', '--json'], home).stdout) as { jobs: { createdAt: null }[] }
    ).jobs
    expect(moss?.createdAt).toBeNull()
  })
})

describe('the next run of a job', () => {
  const HOUR = 3_600_000
  const soon = Math.ceil(Date.now() / HOUR) * HOUR + 100 * HOUR
  const every = { kind: 'every', everyMs: 1000 * HOUR }
  const nextOf = (job: object, logged?: object) => {
    const home = temporaryHome()
    put(
      join(home, '.openclaw/cron/jobs.json'),
      JSON.stringify({ version: 1, jobs: [ferns({ schedule: every, ...job })] }),
    )
    if (logged)
      put(join(home, '.openclaw/cron/runs/ferns.jsonl'), [
        { jobId: 'ferns', action: 'finished', status: 'ok', ...logged },
      ])
    const [listedJob] = (JSON.parse(listed(home)) as { jobs: { nextRunAt: string; nextRunBy: string }[] })
      .jobs
    return {
      at: Date.parse(listedJob!.nextRunAt),
      by: listedJob!.nextRunBy,
      text: run(['cron', 'ferns'], home).stdout,
    }
  }
  const listed = (home: string): string => run(['cron', '--json'], home).stdout

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
    const { runs } = JSON.parse(run(['cron', 'ferns', '--json', ...flags], home).stdout) as {
      runs: { session: string; readable: boolean; cost: number | null }[]
    }
    expect(runs).toMatchObject([
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
      (JSON.parse(of('cron-files', '--json', ...args).stdout) as { jobs: { name: string }[] }).jobs.map(
        ({ name }) => name,
      )
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
    const key = `ghp_${'R7kQ2mZx9LpT4vWc8NbY3hGd6JfS1aEu5oXi'}`
    const texts = {
      name: `Ferns ${key}`,
      description: key,
      payload: { kind: 'agentTurn', message: `use ${key}` },
    }
    const state = { lastStatus: 'error', lastError: `401 for ${key}`, lastRunAtMs: 1793520000000 }
    const home = temporaryHome()
    put(
      join(home, '.openclaw/cron/jobs.json'),
      JSON.stringify([ferns({ ...texts, state, agentId: '\x1b[31mred' })]),
    )
    put(join(home, '.openclaw/cron/runs/ferns.jsonl'), [
      { ts: 1793520000000, status: 'error', error: `401 for ${key} \x1b]0;title\x07`, summary: key },
    ])
    for (const args of [
      ['cron'],
      ['cron', '--json'],
      ['cron', 'ferns'],
      ['cron', 'ferns', '--json'],
      [],
      ['--json'],
    ]) {
      const { stdout, stderr } = run(args, home)
      expect(stdout + stderr).not.toContain('R7kQ2mZx9')
      expect(stdout + stderr).not.toMatch(/\x1b|\x07/)
    }
    expect(run(['cron', 'ferns', '--json', '--no-redact'], home).stdout).toContain(key)
  })

  it('shows a job once if it is in an old home and in the new one', () => {
    const home = temporaryHome()
    const file = (folder: string, more: object) =>
      put(join(home, folder, 'cron/jobs.json'), JSON.stringify({ jobs: [ferns(more)] }))
    file('.clawdbot', { name: 'Old ferns', updatedAtMs: 1793520000000 })
    file('.openclaw', { name: 'New ferns', updatedAtMs: 1793530000000 })
    const { jobs } = JSON.parse(run(['cron', '--json'], home).stdout) as { jobs: { name: string }[] }
    expect(jobs.map(({ name }) => name)).toEqual(['New ferns'])
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
        "stdout": "ID     NAME  AGENT  LAST            NEXT    OK  TAKES  A DAY  SCHEDULE  IN  DOES
      ferns  -     main   ok 11-01 08:29  -     100%    10s      -  -         -   -

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
    const { jobs, code } = jobsOf([
      ferns({ schedule: { kind: 'cron', expr: 'at noon', tz: 'Nowhere/None' } }),
    ])
    expect(code).toBe(0)
    expect(jobs[0]).toMatchObject({
      schedule: { words: 'not understood: at noon (Nowhere/None)' },
      nextRunAt: null,
    })
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
    const { text } = await answer(
      'overview',
      {},
      {
        ...{ home, variables: {}, dirs: { openclaw: [join(home, '.openclaw')] } },
      },
    )
    expect(text.split('\n').filter((each) => each.startsWith('!'))).toEqual([expected])
  })
})
