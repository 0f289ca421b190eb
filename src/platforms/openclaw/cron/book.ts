import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileInside, NO_LINKS } from '../../../io/directories.ts'
import { parseLine } from '../../../io/parse-line.ts'
import { openSource, readFully } from '../../../io/source.ts'
import type { Notice, Root } from '../../../model/artifact.ts'
import {
  type CronBook,
  type CronJob,
  type CronReach,
  type CronRun,
  mergeJobs,
  mergeRuns,
} from '../../../model/cron.ts'
import { append } from '../../../model/iteration.ts'
import { asObject, asText, asTime, type JsonObject, parsedJson } from '../../../model/json.ts'
import { hasColumns, tablesOf } from '../../database-connections.ts'
import { askState, reasonOf } from '../database/connection.ts'
import { createLister, hasFolder, readJson } from '../files.ts'
import { CRON_STATEMENTS } from '../statements.ts'
import { unpackedStateRows } from '../unpacked-state.ts'
import { jobOf, type RunContext, runOf } from './records.ts'

/** `.migrated` files remain after a migration to the database. A further migration adds a number. */
const JOBS = /^jobs\.json(\.migrated(?:\.(\d+))?)?$/
const STATES = /^jobs-state\.json(\.migrated(?:\.(\d+))?)?$/
const RUNS = /^([^/]+)\.jsonl(\.migrated(?:\.(\d+))?)?$/

/**
 * The jobs and runs of a state directory. The allow-list: `cron/jobs.json`, `cron/jobs-state.json`,
 * `cron/runs/*.jsonl`, each with the copies that a migration left, and named columns of
 * `state/openclaw.sqlite`, or those that an archive has of it. What cannot be read becomes a notice.
 */
export function cron(root: Root, reach: CronReach): CronBook {
  const { notices, notice, list } = createLister()
  const damages: Notice[] = []
  const folder = join(root.path, 'cron')
  /** A source that may contain more jobs could not be read. */
  let blind = false
  const database = fromDatabase()
  const states = files(folder, STATES).map(({ path }) => attempt(path, () => readStateFile(path)) ?? {})
  const live: CronJob[] = []
  const copies: CronJob[] = []
  let asked = database?.jobs !== undefined
  for (const { path, age } of files(folder, JOBS)) {
    // Of the states for copies, the newest takes precedence.
    const jobs = fromFile(
      path,
      age === 0
        ? (states[0] ?? {})
        : states.toReversed().reduce((all, state) => Object.assign(all, state), {}),
    )
    if (age === 0 && jobs) asked = true
    if (!jobs) blind = true
    append(age === 0 ? live : copies, jobs ?? [])
  }
  const current = mergeJobs([database?.jobs ?? [], live])
  const known = new Set(current.map(({ id }) => id))
  const old = mergeJobs([copies.filter(({ id }) => !known.has(id))]).map((job) => ({ ...job, gone: asked }))
  const runs = mergeRuns([...(database?.runs ?? []), ...fromLogs()])
  return {
    platform: 'openclaw',
    jobs: withRunsOnly([...current, ...old], runs, !blind),
    runs,
    notices,
    damages,
  }

  function fromDatabase() {
    const path = join(root.path, 'state', 'openclaw.sqlite')
    const isHere = fileInside(dirname(path), path, NO_LINKS) && enters(root.path, 'state')
    try {
      const stored = isHere
        ? askState(path, (database) => readStateDatabase(path, database))
        : fromArchive(path)
      if (stored === undefined) return undefined
      if (stored.strange > 0)
        notice(path, `${entries(stored.strange)} of its cron tables cannot be understood`)
      return stored
    } catch (error) {
      blind = true
      notice(path, `its cron jobs cannot be read (${reasonOf(error)})`)
      return undefined
    }
  }

  function fromArchive(path: string) {
    const [jobs, runs] = [
      unpackedStateRows(root.path, 'cron-jobs'),
      unpackedStateRows(root.path, 'cron-runs'),
    ]
    return (jobs ?? runs) && stateFrom(path, { jobs, runs: runs ?? [] })
  }

  function fromFile(path: string, beside: JsonObject): CronJob[] | undefined {
    const read = attempt(path, () => readJobFile(path, beside))
    if (read && read.strange > 0) notice(path, `${entries(read.strange)} not valid as a job`)
    return read?.jobs
  }

  function fromLogs(): CronRun[] {
    const found: CronRun[] = []
    if (!enters(folder, 'runs')) return found
    for (const { path, name } of files(join(folder, 'runs'), RUNS)) {
      const read = attempt(path, () => readRunLog(path, RUNS.exec(name)![1]!, reach))
      append(found, read?.runs ?? [])
      if (read && read.damaged > 0) {
        const message = `${lines(read.damaged)} damaged; the other runs are shown`
        damages.push({ platform: 'openclaw', path, message })
      }
      if (read?.cut) notice(path, 'is longer than 64 MB: only its newest runs are shown')
    }
    return found
  }

  /** The allowed files of a folder, each followed by its older copies, which have a larger `age`. */
  function files(directory: string, pattern: RegExp) {
    if (directory === folder && !enters(root.path, 'cron')) return []
    return list(directory)
      .flatMap(({ name }) => {
        const match = pattern.exec(name)
        const path = join(directory, name)
        if (!match || !fileInside(directory, path, (target) => pattern.test(target))) return []
        const copied = match.at(-2) !== undefined
        return { path, name, age: copied ? 1e9 - Number(match.at(-1) ?? 0) : 0 }
      })
      .sort((a, b) => a.age - b.age || (a.name < b.name ? -1 : 1))
  }

  function attempt<Value>(path: string, work: () => Value): Value | undefined {
    try {
      return work()
    } catch (error) {
      notice(path, `cannot be read (${error instanceof Error ? error.message : String(error)})`)
      return undefined
    }
  }

  function enters(directory: string, name: string): boolean {
    return hasFolder(directory, list(directory), name)
  }
}

const entries = (count: number): string => (count === 1 ? 'an entry' : `${count} entries`)
const lines = (count: number): string => (count === 1 ? '1 line is' : `${count} lines are`)

/**
 * Jobs that are only known from their runs. A job that runs once is deleted afterwards (`gone`), but its log
 * remains.
 */
function withRunsOnly(jobs: CronJob[], runs: readonly CronRun[], gone: boolean): CronJob[] {
  const known = new Set(jobs.map(({ id }) => id))
  for (const { jobId, jobName, agent, path } of runs) {
    if (known.has(jobId)) continue
    known.add(jobId)
    jobs.push({ id: jobId, name: jobName, agent: agent ?? 'main', enabled: !gone, gone, state: {}, path })
  }
  return jobs
}

/** Reads the jobs of a file and their states. Throws file system errors, or a SyntaxError. */
function readJobFile(path: string, states: JsonObject): { jobs: CronJob[]; strange: number } {
  const jobs: CronJob[] = []
  let strange = 0
  for (const [key, value] of entriesOf(readJson(path))) {
    const fields = asObject(value)
    const id = asText(fields?.id) ?? asText(fields?.jobId) ?? key
    const beside = id !== undefined && Object.hasOwn(states, id) ? asObject(states[id]) : undefined
    const job = jobOf(value, {
      path,
      key,
      state: beside?.state ?? beside,
      stateUpdated: beside?.updatedAtMs ?? beside?.updatedAt,
    })
    if (job) jobs.push(job)
    else strange++
  }
  return { jobs, strange }
}

/** The state of each job by id. Some versions keep it in a file of its own. */
function readStateFile(path: string): JsonObject {
  const root = asObject(readJson(path))
  return asObject(root?.jobs) ?? root ?? {}
}

/** Accepts `{version, jobs}`, `{jobs}`, a list, or a map from id to job. */
function entriesOf(value: unknown): [key: string | undefined, value: unknown][] {
  const jobs = Array.isArray(value) ? value : asObject(value)?.jobs
  if (Array.isArray(jobs)) return jobs.map((each) => [undefined, each])
  const map = asObject(jobs)
  if (map) return Object.entries(map)
  throw new SyntaxError('it contains no list of jobs')
}

/** Bytes at the end of a log that contain the latest runs of a job. */
const TAIL = 64 * 1024
/** The scheduler prunes its logs at 2 MB. Of a longer log only the newest runs are read. */
const LOG_LIMIT = 64 * 1024 * 1024

/**
 * The runs of a log, and the number of lines that could not be used. An unfinished last line is not counted.
 */
function readRunLog(
  path: string,
  jobId: string,
  reach: CronReach,
): { runs: CronRun[]; damaged: number; cut: boolean } {
  const { content, cut } = readEnd(path, reach === 'last' ? TAIL : LOG_LIMIT)
  const runs: CronRun[] = []
  let damaged = 0
  let start = cut ? content.indexOf(10) + 1 : 0
  while (start < content.length) {
    const newline = content.indexOf(10, start)
    const end = newline < 0 ? content.length : newline
    const line = parseLine(content, start, end)
    let known = 0
    for (const entry of line.entries) {
      const run = runOf(entry, { path, jobId })
      if (run !== undefined) known++
      if (run !== undefined && run !== 'skipped') runs.push(run)
    }
    const blank = !content.subarray(start, end).some((byte) => byte > 32)
    if (!blank && newline >= 0 && (line.damaged || known < line.entries.length)) damaged++
    start = end + 1
  }
  return { runs, damaged, cut: cut && reach === 'all' }
}

function readEnd(path: string, most: number): { content: Buffer; cut: boolean } {
  const source = openSource(path)
  try {
    const { size } = source.state()
    const from = Math.max(0, size - most)
    source.seek(from)
    return { content: readFully(source, size - from), cut: from > 0 }
  } finally {
    source.close()
  }
}

type Row = Record<string, unknown>

/**
 * Reads the database in place. `jobs` is undefined if it has no table of them. Throws engine errors if it
 * cannot be opened or stays locked.
 */
function readStateDatabase(path: string, database: DatabaseSync) {
  const tables = tablesOf(database, CRON_STATEMENTS.columns)
  const has = (table: string, ...names: string[]): boolean => hasColumns({ tables }, table, ...names)
  const rows = (statement: string): Row[] => database.prepare(statement).all() as Row[]
  const runs: Row[] = []
  const add = (table: string, statement: string): void => {
    for (const row of rows(statement)) runs.push({ table, ...row })
  }
  if (has('cron_run_logs', 'job_id', 'entry_json')) add(LOGS, CRON_STATEMENTS.runLogs)
  if (
    has('task_runs', 'runtime', 'source_id', 'label', 'child_session_key', 'terminal_summary', 'detail_json')
  )
    add('task_runs', CRON_STATEMENTS.taskRuns)
  if (has('cron_run_receipts', 'job_id', 'agent_id', 'started_at_ms', 'finished_at_ms', 'error_text'))
    add('cron_run_receipts', CRON_STATEMENTS.receipts)
  if (!has('cron_jobs', 'job_id', 'job_json', 'state_json')) return stateFrom(path, { jobs: undefined, runs })
  const timed = has('cron_jobs', 'runtime_updated_at_ms')
  return stateFrom(path, { jobs: rows(timed ? CRON_STATEMENTS.jobs : CRON_STATEMENTS.olderJobs), runs })
}

/** The table whose entries contain everything about a run. */
const LOGS = 'cron_run_logs'

/** What rows of the database say. Those of runs name their table. */
function stateFrom(path: string, stored: { jobs: readonly Row[] | undefined; runs: readonly Row[] }) {
  const runs: CronRun[] = []
  let strange = 0
  const keep = <Value>(value: Value | undefined): Value | undefined => {
    if (value === undefined) strange++
    return value
  }
  for (const row of stored.runs) {
    const entry = parsed(row.entry)
    const run = keep(
      row.table === LOGS
        ? runOf(entry, { path, jobId: asText(row.id) })
        : runOf(entry ?? {}, contextOf(row, path)),
    )
    if (run !== undefined && run !== 'skipped') runs.push(run)
  }
  const jobs = stored.jobs?.flatMap((row) => {
    const { id, job, state, updated } = row
    return (
      keep(
        jobOf(parsed(job), { path, key: asText(id), state: parsed(state), stateUpdated: updated, updated }),
      ) ?? []
    )
  })
  return { jobs, runs, strange }
}

const contextOf = (row: Row, path: string): RunContext => ({
  path,
  jobId: asText(row.id),
  jobName: asText(row.label),
  agent: asText(row.agent),
  sessionKey: asText(row.key),
  status: asText(row.status),
  startedMs: asTime(row.started),
  endedMs: asTime(row.ended),
  error: asText(row.error),
  summary: asText(row.summary),
})

/** A database has it as text. */
const parsed = (value: unknown): unknown => asObject(value) ?? asObject(parsedJson(value))
