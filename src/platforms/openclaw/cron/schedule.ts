import type { CronSchedule } from '../../../model/cron.ts'
import { asNumber, asObject, asText, asTime, type JsonObject } from '../../../model/json.ts'

/** Maximum length of an unknown schedule. */
const QUOTE = 120
/** The latest time a date can represent. */
const LAST_TIME = 8.64e15

/** Parses a schedule in any known form. Undefined if there is none. */
export function scheduleOf(value: unknown): CronSchedule | undefined {
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
  if (expr && (kind === undefined || kind === 'cron'))
    return { kind: 'cron', expr, tz: asText(asText(fields.tz)?.trim()) }
  if (everyMs !== undefined && everyMs > 0 && (kind === undefined || kind === 'every' || kind === 'interval'))
    return { kind: 'every', everyMs, anchorMs: asNumber(fields.anchorMs) }
  if (atMs !== undefined && atMs <= LAST_TIME && (kind === undefined || kind === 'at'))
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
