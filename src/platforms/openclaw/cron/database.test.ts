import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureRoot } from '../../../../test/openclaw-fixtures.ts'
import { put, temporaryHome } from '../../../../test/records.ts'
import { STATE_CANARY, stateDatabase } from '../../../../test/state-database.ts'
import type { CronBook } from '../../../model/cron.ts'
import { cron } from './book.ts'
import { CRON_STATEMENTS } from './statements.ts'

const FERN = 'c0000000-0000-4000-8000-000000000001'
const MOSS = 'c0000000-0000-4000-8000-000000000002'
const AT = Date.UTC(2026, 10, 1, 8)
const ferns = {
  name: 'Ferns',
  schedule: { kind: 'every', everyMs: 900_000 },
  payload: { kind: 'agentTurn', message: 'Water.' },
}

const read = (path: string): CronBook => cron({ platform: 'openclaw', path, reason: '', found: true }, 'all')

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
    const book = read(home)
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
      ...{ label: 'Ferns', key, at: AT },
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
    const book = read(home)
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
    const book = read(home)
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
    expect(read(home).jobs.length).toBe(1)
    database.job(MOSS, ferns)
    expect(read(home).jobs.length).toBe(2)
    database.close()
    const before = readFileSync(database.path)
    expect(read(home).jobs.length).toBe(2)
    expect(readdirSync(dirname(database.path))).toEqual(['openclaw.sqlite'])
    expect(readFileSync(database.path).equals(before)).toBe(true)
  })

  it('are reported if they cannot be understood, and the others are read', () => {
    const home = temporaryHome()
    const database = stateDatabase(home, 'late')
    database.job(FERN, ferns, 'not JSON')
    database.close()
    const { jobs, notices } = read(home)
    expect(jobs.map(({ name }) => name)).toEqual(['Ferns'])
    expect(notices).toEqual([])
    rmSync(database.path)
    put(database.path, 'this was never a database')
    expect(read(home).notices.map(({ message }) => message)).toEqual([
      'its cron jobs cannot be read (it is not a database)',
    ])
  })

  it('are empty if the database has no such tables', () => {
    const home = temporaryHome()
    const database = stateDatabase(home, 'early')
    database.close()
    expect(read(home)).toMatchObject({ jobs: [], runs: [], notices: [] })
    expect(existsSync(database.path)).toBe(true)
  })
})

describe('the queries of the state database', () => {
  it('read named columns of four tables', () => {
    const allowed = ['cron_jobs', 'cron_run_logs', 'cron_run_receipts', 'task_runs']
    for (const statement of Object.values(CRON_STATEMENTS)) {
      expect(statement).toMatch(/^SELECT /)
      expect(statement).not.toMatch(/\*|;|ATTACH|PRAGMA /)
      const tables = [...statement.matchAll(/(?:FROM|JOIN) (\w+)/g)].map((match) => match[1]!)
      if (tables[0] !== 'sqlite_master')
        expect(tables.filter((table) => !allowed.includes(table))).toEqual([])
    }
    const named = [...CRON_STATEMENTS.columns.matchAll(/'(\w+)'/g)].map((match) => match[1]!)
    expect(named.sort()).toEqual([...allowed, 'table'].sort())
  })

  it('never return the content of its other tables', () => {
    const home = temporaryHome()
    for (const generation of ['early', 'late'] as const) {
      const database = stateDatabase(join(home, generation), generation)
      database.job(FERN, ferns)
      database.close()
      expect(JSON.stringify(read(join(home, generation)))).not.toContain(STATE_CANARY)
    }
  })
})
