import json5 from 'json5'
import { readSmall } from '../../../io/source.ts'
import type { CronJob } from '../../../model/cron.ts'
import { asObject, asText, type JsonObject } from '../../../model/json.ts'
import { jobOf } from './job.ts'

/** Jobs are few; what is larger is none of OpenClaw's files. */
const LIMIT = 64 * 1024 * 1024

/** Reads the jobs of a file, with what the scheduler noted beside it. Throws the system's error, or a SyntaxError. */
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

/** What the scheduler noted of each job, by its id: a file of its own in some versions. */
export function readStateFile(path: string): JsonObject {
  const root = asObject(readJson(path))
  return asObject(root?.jobs) ?? root ?? {}
}

/** `{version, jobs}`, `{jobs}`, a list, or a map from id to job. */
function entriesOf(value: unknown): [key: string | undefined, value: unknown][] {
  const jobs = Array.isArray(value) ? value : asObject(value)?.jobs
  if (Array.isArray(jobs)) return jobs.map((each) => [undefined, each])
  const map = asObject(jobs)
  if (map) return Object.entries(map)
  throw new SyntaxError('it holds no list of jobs')
}

/** OpenClaw reads it as JSON5: people write comments and trailing commas into it. */
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
