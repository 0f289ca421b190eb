import { type CronDelivery, type CronJob, newerState } from '../../../model/cron.ts'
import { asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'
import { scheduleOf } from './schedule.ts'
import { stateOf } from './state.ts'

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
  const name = trimmed(fields?.displayName) ?? trimmed(fields?.name)
  const id = trimmed(fields?.id) ?? trimmed(fields?.jobId) ?? key ?? name
  if (!fields || id === undefined) return undefined
  const updatedMs = asTime(fields.updatedAtMs) ?? asTime(fields.updatedAt) ?? asTime(updated)
  return {
    id,
    name,
    description: trimmed(fields.description),
    agent: trimmed(fields.agentId) ?? agentOfKey(fields.sessionKey) ?? DEFAULT_AGENT,
    enabled: fields.enabled !== false && fields.enabled !== 0 && fields.enabled !== 'false',
    gone: false,
    schedule: scheduleOf(fields.schedule) ?? scheduleOf(fields.cron) ?? bare(fields),
    target: trimmed(fields.sessionTarget),
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
  const text = words(payload) ?? trimmed(fields.payload) ?? words({ ...fields, kind: undefined })
  const kind =
    trimmed(payload.kind) ??
    (fields.command !== undefined ? 'command' : text === undefined ? undefined : legacyKind(fields))
  return kind === undefined ? undefined : { kind, text }
}

/** Before payloads had kinds, messages for the main session were system events and all others agent turns. */
const legacyKind = (fields: JsonObject): string =>
  fields.sessionTarget === 'main' || (fields.text !== undefined && fields.message === undefined)
    ? 'systemEvent'
    : 'agentTurn'

const words = (fields: JsonObject): string | undefined =>
  trimmed(fields.message) ??
  trimmed(fields.text) ??
  trimmed(fields.prompt) ??
  trimmed(fields.command) ??
  argumentsOf(fields.command) ??
  argumentsOf(fields.argv) ??
  trimmed(fields.script)

const argumentsOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? trimmed(value.filter((each) => typeof each === 'string').join(' ')) : undefined

/** The delivery of the result: in the payload in some versions, in the job in others. */
function deliveryOf(fields: JsonObject): CronDelivery | undefined {
  const own = asObject(fields.delivery)
  if (own) return { mode: trimmed(own.mode), channel: trimmed(own.channel), to: idOf(own.to) }
  for (const old of [asObject(fields.payload), fields])
    if (old && (old.deliver !== undefined || old.to !== undefined || old.channel !== undefined))
      return {
        mode: old.deliver === false ? 'none' : 'announce',
        channel: trimmed(old.channel),
        to: idOf(old.to),
      }
  return undefined
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : trimmed(value)

const trimmed = (value: unknown): string | undefined => asText(asText(value)?.trim())
