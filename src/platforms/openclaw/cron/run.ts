import type { CronRun, CronUsage } from '../../../model/cron.ts'
import { asNumber, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { agentOfKey } from './job.ts'
import { statusOf } from './status.ts'

/** What of a run stands outside of its entry, where the entry does not tell it. */
export interface Around {
  path: string
  jobId?: string
  jobName?: string
  agent?: string
  startedMs?: number
  endedMs?: number
  sessionKey?: string
  status?: string
  error?: string
  summary?: string
}

/** An entry of a log, `skipped` for one that tells of no run that ended, undefined for what is no entry. */
export function runOf(value: unknown, around: Around): CronRun | 'skipped' | undefined {
  const fields = asObject(value)
  if (!fields) return undefined
  const action = asText(fields.action)
  if (action !== undefined && action !== 'finished') return 'skipped'
  const jobId = asText(fields.jobId) ?? asText(fields.id) ?? around.jobId
  const endedMs = asTime(fields.ts) ?? asTime(fields.timestamp) ?? around.endedMs
  const durationMs = asNumber(fields.durationMs)
  const startedMs =
    asTime(fields.runAtMs) ??
    asTime(fields.runAt) ??
    around.startedMs ??
    (endedMs !== undefined && durationMs !== undefined ? endedMs - durationMs : undefined)
  const status = statusOf(fields.status) ?? statusOf(around.status)
  if (jobId === undefined || (endedMs === undefined && startedMs === undefined && status === undefined))
    return undefined
  const sessionKey = asText(fields.sessionKey) ?? around.sessionKey
  const error = asText(fields.error) ?? asText(asObject(fields.error)?.message) ?? around.error
  return {
    jobId,
    jobName: asText(fields.jobName) ?? around.jobName,
    agent: asText(fields.agentId) ?? agentOfKey(sessionKey) ?? around.agent,
    startedMs,
    endedMs,
    status: status ?? (error === undefined ? 'ok' : 'error'),
    durationMs:
      durationMs ?? (startedMs !== undefined && endedMs !== undefined ? endedMs - startedMs : undefined),
    delivered: typeof fields.delivered === 'boolean' ? fields.delivered : undefined,
    deliveryStatus: asText(fields.deliveryStatus),
    error,
    summary: asText(fields.summary) ?? around.summary,
    sessionId: asText(fields.sessionId) ?? sessionOfKey(sessionKey),
    sessionKey,
    model: asText(fields.model),
    usage: usageOf(fields),
    nextRunMs: asTime(fields.nextRunAtMs) ?? asTime(fields.nextRunAt),
    path: around.path,
  }
}

/** The key of a run ends in its session. */
const sessionOfKey = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : /:cron:.*:run:([^:]+)$/.exec(key)?.[1]

/** A cost of nothing means that nobody knew the price. */
function usageOf(fields: JsonObject): CronUsage | undefined {
  const usage = asObject(fields.usage)
  const price =
    asNumber(fields.costUsd) ?? costOf(fields.cost) ?? asNumber(usage?.costUsd) ?? costOf(usage?.cost)
  const counted = {
    input: count(usage?.input_tokens ?? usage?.input),
    output: count(usage?.output_tokens ?? usage?.output),
    cacheRead: count(usage?.cache_read_tokens ?? usage?.cacheRead),
    cacheWrite: count(usage?.cache_write_tokens ?? usage?.cacheWrite),
  }
  const parts = Object.values(counted).filter((each) => each !== undefined)
  const total = count(usage?.total_tokens ?? usage?.totalTokens)
  const cost = price !== undefined && price > 0 ? price : undefined
  if (parts.length === 0 && total === undefined && cost === undefined) return undefined
  const sum = parts.length > 0 ? parts.reduce((all, each) => all + each) : undefined
  return { ...counted, total: total ?? sum, cost }
}

const costOf = (value: unknown): number | undefined => asNumber(value) ?? asNumber(asObject(value)?.total)

const count = (value: unknown): number | undefined => {
  const number = asNumber(value)
  return number !== undefined && number >= 0 ? number : undefined
}
