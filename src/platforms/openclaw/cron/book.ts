import { dirname, join } from 'node:path'
import { fileInside, isFolderInside, listDirectory, NO_LINKS } from '../../../io/directories.ts'
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
import type { JsonObject } from '../../../model/json.ts'
import { reasonOf } from '../eras/connection.ts'
import { readJobFile, readStateFile } from './job-file.ts'
import { readRunLog } from './run-log.ts'
import { readStateDatabase } from './state-database.ts'

/** `.migrated` files remain after a migration to the database. A further migration adds a number. */
const JOBS = /^jobs\.json(\.migrated(?:\.(\d+))?)?$/
const STATES = /^jobs-state\.json(\.migrated(?:\.(\d+))?)?$/
const RUNS = /^([^/]+)\.jsonl(\.migrated(?:\.(\d+))?)?$/

interface Found {
  path: string
  name: string
  /** Sort key: 0 for the file itself, larger for older copies. */
  age: number
}

/**
 * The jobs and runs of a state directory. The allow-list: `cron/jobs.json`, `cron/jobs-state.json`,
 * `cron/runs/*.jsonl`, each with the copies that a migration left, and named columns of
 * `state/openclaw.sqlite`. What cannot be read becomes a notice.
 */
export function cron(root: Root, reach: CronReach): CronBook {
  const notices: Notice[] = []
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
    const jobs = fromFile(path, age === 0 ? (states[0] ?? {}) : merged(states))
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
    if (!fileInside(dirname(path), path, NO_LINKS) || !enters(root.path, 'state')) return undefined
    try {
      const stored = readStateDatabase(path)
      if (stored.strange > 0)
        notice(path, `${entries(stored.strange)} of its cron tables cannot be understood`)
      return stored
    } catch (error) {
      blind = true
      notice(path, `its cron jobs cannot be read (${reasonOf(error)})`)
      return undefined
    }
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

  /** The allowed files of a folder, each followed by its older copies. */
  function files(directory: string, pattern: RegExp): Found[] {
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

  function enters(directory: string, name: string): boolean {
    const entry = list(directory).find((each) => each.name === name)
    return entry !== undefined && isFolderInside(directory, join(directory, name), entry, NO_LINKS)
  }

  function list(directory: string) {
    const { entries: inside, error } = listDirectory(directory)
    if (error && error !== 'ENOENT' && error !== 'ENOTDIR' && !notices.some(({ path }) => path === directory))
      notice(directory, `cannot be listed (${error})`)
    return inside
  }

  function attempt<Value>(path: string, work: () => Value): Value | undefined {
    try {
      return work()
    } catch (error) {
      notice(path, `cannot be read (${error instanceof Error ? error.message : String(error)})`)
      return undefined
    }
  }

  function notice(path: string, message: string): void {
    notices.push({ platform: 'openclaw', path, message })
  }
}

const entries = (count: number): string => (count === 1 ? 'an entry' : `${count} entries`)
const lines = (count: number): string => (count === 1 ? '1 line is' : `${count} lines are`)

/** Merges the states of all files. The newest takes precedence. */
function merged(states: readonly JsonObject[]): JsonObject {
  const all: JsonObject = {}
  for (const state of states.toReversed()) Object.assign(all, state)
  return all
}

/**
 * Jobs that are only known from their runs. A job that runs once is deleted afterwards (`gone`), but its log
 * remains.
 */
function withRunsOnly(jobs: CronJob[], runs: readonly CronRun[], gone: boolean): CronJob[] {
  const known = new Set(jobs.map(({ id }) => id))
  for (const { jobId, jobName, agent, path } of runs) {
    if (known.has(jobId)) continue
    known.add(jobId)
    jobs.push({
      id: jobId,
      name: jobName,
      agent: agent ?? 'main',
      enabled: !gone,
      gone,
      state: {},
      path,
    })
  }
  return jobs
}
