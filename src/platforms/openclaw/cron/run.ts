import type { CronRun, CronUsage } from '../../../model/cron.ts'
import { asNumber, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { agentOfKey } from './job.ts'
import { statusOf } from './status.ts'

/** Facts about a run from outside its entry, used if the entry lacks them. */
export interface RunContext {
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

/** Parses an entry of a log: `skipped` if it is not about a finished run, undefined if it is not an entry. */
export function runOf(value: unknown, context: RunContext): CronRun | 'skipped' | undefined {
  const fields = asObject(value)
  if (!fields) return undefined
  const action = asText(fields.action)
  if (action !== undefined && action !== 'finished') return 'skipped'
  const jobId = asText(fields.jobId) ?? asText(fields.id) ?? context.jobId
  const endedMs = asTime(fields.ts) ?? asTime(fields.timestamp) ?? context.endedMs
  const durationMs = asNumber(fields.durationMs)
  const startedMs =
    asTime(fields.runAtMs) ??
    asTime(fields.runAt) ??
    context.startedMs ??
    (endedMs !== undefined && durationMs !== undefined ? endedMs - durationMs : undefined)
  const status = statusOf(fields.status) ?? statusOf(context.status)
  if (jobId === undefined || (endedMs === undefined && startedMs === undefined && status === undefined))
    return undefined
  const sessionKey = asText(fields.sessionKey) ?? context.sessionKey
  const error = asText(fields.error) ?? asText(asObject(fields.error)?.message) ?? context.error
  return {
    jobId,
    jobName: asText(fields.jobName) ?? context.jobName,
    agent: asText(fields.agentId) ?? agentOfKey(sessionKey) ?? context.agent,
    startedMs,
    endedMs,
    status: status ?? (error === undefined ? 'ok' : 'error'),
    durationMs:
      durationMs ?? (startedMs !== undefined && endedMs !== undefined ? endedMs - startedMs : undefined),
    delivered: typeof fields.delivered === 'boolean' ? fields.delivered : undefined,
    deliveryStatus: asText(fields.deliveryStatus),
    error,
    summary: asText(fields.summary) ?? context.summary,
    sessionId: asText(fields.sessionId) ?? sessionOfKey(sessionKey),
    sessionKey,
    model: asText(fields.model),
    usage: usageOf(fields),
    nextRunMs: asTime(fields.nextRunAtMs) ?? asTime(fields.nextRunAt),
    path: context.path,
  }
}

/** The key of a run ends with its session id. */
const sessionOfKey = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : /:cron:.*:run:([^:]+)$/.exec(key)?.[1]

/** A cost of zero means that the price was unknown. */
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
