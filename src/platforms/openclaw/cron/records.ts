import {
  type CronDelivery,
  type CronJob,
  type CronRun,
  type CronSchedule,
  type CronState,
  type CronUsage,
  newerState,
} from '../../../model/cron.ts'
import {
  asCount,
  asNumber,
  asObject,
  asText,
  asTime,
  asTrimmed,
  firstOf,
  type JsonObject,
  LAST_MS,
} from '../../../model/json.ts'

/** The default agent of jobs that name none, as in OpenClaw. */
const DEFAULT_AGENT = 'main'

/** Facts about a job from outside its definition. */
interface JobContext {
  path: string
  /** Its key in the file, used if it has no id. */
  key?: string
  state?: unknown
  stateUpdated?: unknown
  updated?: unknown
}

/** Parses a job in any known form. Undefined if it is not a job, because it has no name. */
export function jobOf(
  value: unknown,
  { path, key, state, stateUpdated, updated }: JobContext,
): CronJob | undefined {
  const fields = asObject(value)
  const name = asTrimmed(fields?.displayName) ?? asTrimmed(fields?.name)
  const id = asTrimmed(fields?.id) ?? asTrimmed(fields?.jobId) ?? key ?? name
  if (!fields || id === undefined) return undefined
  const updatedMs = asTime(fields.updatedAtMs) ?? asTime(fields.updatedAt) ?? asTime(updated)
  return {
    id,
    name,
    description: asTrimmed(fields.description),
    agent: asTrimmed(fields.agentId) ?? agentOfKey(fields.sessionKey) ?? DEFAULT_AGENT,
    enabled: fields.enabled !== false && fields.enabled !== 0 && fields.enabled !== 'false',
    gone: false,
    schedule: scheduleOf(fields.schedule) ?? scheduleOf(fields.cron) ?? bare(fields),
    target: asTrimmed(fields.sessionTarget),
    does: doesOf(fields),
    delivery: deliveryOf(fields),
    createdMs: asTime(fields.createdAtMs) ?? asTime(fields.createdAt),
    updatedMs,
    state: newerState(stateOf(fields.state, updatedMs), stateOf(state, stateUpdated ?? updatedMs)),
    path,
  }
}

/** A schedule in the fields of the job itself. */
const bare = (fields: JsonObject) =>
  ['everyMs', 'at', 'atMs', 'expr'].some((name) => fields[name] !== undefined)
    ? scheduleOf({ ...fields, kind: undefined })
    : undefined

export const agentOfKey = (key: unknown): string | undefined => /^agent:([^:]+):/.exec(asText(key) ?? '')?.[1]

function doesOf(fields: JsonObject): CronJob['does'] {
  const payload = asObject(fields.payload) ?? {}
  const text = words(payload) ?? asTrimmed(fields.payload) ?? words({ ...fields, kind: undefined })
  const kind =
    asTrimmed(payload.kind) ??
    (fields.command !== undefined ? 'command' : text === undefined ? undefined : legacyKind(fields))
  return kind === undefined ? undefined : { kind, text }
}

/** Before payloads had kinds, messages for the main session were system events and all others agent turns. */
const legacyKind = (fields: JsonObject): string =>
  fields.sessionTarget === 'main' || (fields.text !== undefined && fields.message === undefined)
    ? 'systemEvent'
    : 'agentTurn'

const words = (fields: JsonObject): string | undefined =>
  firstOf(asTrimmed, fields, 'message', 'text', 'prompt', 'command') ??
  argumentsOf(fields.command) ??
  argumentsOf(fields.argv) ??
  asTrimmed(fields.script)

const argumentsOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? asTrimmed(value.filter((each) => typeof each === 'string').join(' ')) : undefined

/** The delivery of the result: in the payload in some versions, in the job in others. */
function deliveryOf(fields: JsonObject): CronDelivery | undefined {
  const own = asObject(fields.delivery)
  if (own) return { mode: asTrimmed(own.mode), channel: asTrimmed(own.channel), to: idOf(own.to) }
  for (const old of [asObject(fields.payload), fields])
    if (old && (old.deliver !== undefined || old.to !== undefined || old.channel !== undefined))
      return {
        mode: old.deliver === false ? 'none' : 'announce',
        channel: asTrimmed(old.channel),
        to: idOf(old.to),
      }
  return undefined
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : asTrimmed(value)

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
    input: asCount(usage?.input_tokens ?? usage?.input),
    output: asCount(usage?.output_tokens ?? usage?.output),
    cacheRead: asCount(usage?.cache_read_tokens ?? usage?.cacheRead),
    cacheWrite: asCount(usage?.cache_write_tokens ?? usage?.cacheWrite),
  }
  const parts = Object.values(counted).filter((each) => each !== undefined)
  const total = asCount(usage?.total_tokens ?? usage?.totalTokens)
  const cost = price !== undefined && price > 0 ? price : undefined
  if (parts.length === 0 && total === undefined && cost === undefined) return undefined
  const sum = parts.length > 0 ? parts.reduce((all, each) => all + each) : undefined
  return { ...counted, total: total ?? sum, cost }
}

const costOf = (value: unknown): number | undefined => asNumber(value) ?? asNumber(asObject(value)?.total)

/** Maximum length of an unknown schedule. */
const QUOTE = 120

/** Parses a schedule in any known form. Undefined if there is none. */
function scheduleOf(value: unknown): CronSchedule | undefined {
  if (value === undefined || value === null) return undefined
  const text = asText(value)?.trim()
  if (text) return { kind: 'cron', expr: text }
  const fields = asObject(value)
  return (fields && structured(fields)) ?? { kind: 'unknown', text: quoted(value) }
}

function structured(fields: JsonObject): CronSchedule | undefined {
  const kind = asText(fields.kind)?.toLowerCase()
  const expr = (asText(fields.expr) ?? asText(fields.cron))?.trim()
  const everyMs = numberOf(fields.everyMs)
  const atMs = momentOf(fields.at) ?? asTime(numberOf(fields.atMs) ?? fields.atMs)
  const staggerMs = numberOf(fields.staggerMs)
  if (expr && (kind === undefined || kind === 'cron'))
    return {
      kind: 'cron',
      expr,
      tz: asText(asText(fields.tz)?.trim()),
      ...(staggerMs !== undefined && staggerMs >= 0 && { staggerMs: Math.floor(staggerMs) }),
    }
  if (everyMs !== undefined && everyMs > 0 && (kind === undefined || kind === 'every' || kind === 'interval'))
    return { kind: 'every', everyMs, anchorMs: asNumber(fields.anchorMs) }
  if (atMs !== undefined && atMs <= LAST_MS && (kind === undefined || kind === 'at'))
    return { kind: 'at', atMs }
  return undefined
}

/** The scheduler treats a time without a zone as UTC. */
function momentOf(value: unknown): number | undefined {
  const text = asText(value)?.trim()
  if (text === undefined) return asTime(value)
  return asTime(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
}

const numberOf = (value: unknown): number | undefined =>
  asNumber(typeof value === 'string' && value.trim() !== '' ? Number(value) : value)

const quoted = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, QUOTE)

/**
 * Parses the scheduler's state of a job, from `state` in the job or from a file of its own. `updated`: when
 * it was written, if recorded.
 */
function stateOf(value: unknown, updated?: unknown): CronState {
  const fields = asObject(value) ?? {}
  const error = asText(fields.lastError)
  return {
    nextRunMs: asTime(fields.nextRunAtMs) ?? asTime(fields.nextRunAt),
    lastRunMs: asTime(fields.lastRunAtMs) ?? asTime(fields.lastRunAt),
    lastStatus: statusOf(fields.lastRunStatus) ?? statusOf(fields.lastStatus),
    lastError: error,
    lastDurationMs: asNumber(fields.lastDurationMs),
    consecutiveErrors: asNumber(fields.consecutiveErrors),
    updatedMs: asTime(updated),
  }
}

/** Different words for the same outcome in logs and tables. */
const SAME: Readonly<Record<string, string>> = {
  succeeded: 'ok',
  success: 'ok',
  completed: 'ok',
  failed: 'error',
  failure: 'error',
  timed_out: 'error',
  timeout: 'error',
  lost: 'error',
}

/** The outcome of a run, with one word per outcome. Unknown words are returned unchanged. */
function statusOf(value: unknown): string | undefined {
  const text = asText(value)?.trim().toLowerCase()
  return text === undefined || text === '' ? undefined : Object.hasOwn(SAME, text) ? SAME[text] : text
}
