import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { put } from '../records.ts'
import { STATE_CANARY, stateDatabase } from '../state-database.ts'

/** Files next to those of cron jobs, below a state directory, that are not opened. */
export const NEAR_CRON = [
  'cron/jobs.json.bak',
  'cron/jobs.json.bak.1',
  'cron/jobs-quarantine.json',
  'cron/secrets.json',
  'cron/x.jsonl',
  'cron/jobs.json5',
  'cron/runs/x.json',
  'cron/runs/x.jsonl.bak',
  'cron/runs/deep/x.jsonl',
  'state/openclaw.sqlite.bak',
  'state/other.sqlite',
  'state/x.jsonl',
  'state/secrets.json',
]

const JOB = 'c0000000-0000-4000-8000-00000000000c'

/** The jobs of an installation with all files that may be opened, and links to some that may not. */
export function plantCron(state: string, canaries: Map<string, string>): void {
  const job = { id: JOB, name: 'Water the moss', schedule: { kind: 'cron', expr: '0 9 * * *' } }
  const run = { ts: 1793613601000, jobId: JOB, action: 'finished', status: 'error', error: 'The hose leaks' }
  put(join(state, 'cron/jobs.json'), JSON.stringify({ version: 1, jobs: [job] }))
  put(join(state, 'cron/jobs-state.json'), JSON.stringify({ version: 1, jobs: {} }))
  put(join(state, 'cron/jobs.json.migrated'), JSON.stringify({ version: 1, jobs: [job] }))
  put(join(state, `cron/runs/${JOB}.jsonl`), [run])
  put(join(state, `cron/runs/${JOB}.jsonl.migrated.1`), [run])
  symlinkSync(join(state, 'openclaw.json'), join(state, 'cron/jobs.json.migrated.9'))
  symlinkSync(join(state, 'credentials/x.jsonl'), join(state, 'cron/runs/leads-out.jsonl'))
  const database = stateDatabase(state, 'late')
  database.job(JOB, job, { lastStatus: 'error' }, run.ts)
  database.close()
  canaries.set(join(state, 'state', '(tables of keys)'), STATE_CANARY)
}

/** Its files that may be opened. */
export const cronFiles = (state: string): string[] =>
  [
    'cron/jobs.json',
    'cron/jobs-state.json',
    'cron/jobs.json.migrated',
    `cron/runs/${JOB}.jsonl`,
    `cron/runs/${JOB}.jsonl.migrated.1`,
    'state/openclaw.sqlite',
  ].map((name) => join(state, name))
