import { describe, expect, it } from 'vitest'
import { fixtureRoot } from '../../../../test/openclaw-fixtures.ts'
import { put, temporaryHome } from '../../../../test/records.ts'
import type { CronBook, CronJob, CronRun } from '../../../model/cron.ts'
import { cron } from './book.ts'

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
      ...{ input: 7, output: 14, cacheRead: 20100, cacheWrite: 455 },
      ...{ total: 20576, cost: undefined },
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
