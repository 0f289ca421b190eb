import json5 from 'json5'
import { readSmall } from '../../../io/source.ts'
import type { CronJob } from '../../../model/cron.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'
import { jobOf } from './job.ts'

/** Larger files are not OpenClaw's. */
const LIMIT = 64 * 1024 * 1024

/** Reads the jobs of a file and their states. Throws file system errors, or a SyntaxError. */
export function readJobFile(path: string, states: JsonObject): { jobs: CronJob[]; strange: number } {
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
export function readStateFile(path: string): JsonObject {
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

/** OpenClaw reads the file as JSON5, so it may contain comments and trailing commas. */
function readJson(path: string): unknown {
  const content = readSmall(path, LIMIT)
  if (!content) throw new Error(`larger than ${LIMIT} bytes`)
  const text = content.toString('utf8').replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    return json5.parse(text)
  }
}
