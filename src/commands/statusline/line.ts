import { asObject, asText } from '../../model/json.ts'
import type { StatusFigures } from './figures.ts'

/** The JSON that Claude Code writes to a status line, as far as it is used. */
interface ClientState {
  model?: string
  session?: string
  /** The cost of the session according to the client, in US dollars. */
  cost?: number
  /** How much of the context is used, in percent. */
  context?: number
}

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
/** Older figures are marked with their age. */
const OLD_MS = 5 * MINUTE_MS
const LONGEST_NAME = 40

/** Reads the client's input. Missing and invalid fields are left out. */
export function clientState(text: string): ClientState {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return {}
  }
  const state = asObject(given)
  const model = asObject(state?.model)
  return {
    model: (asText(model?.display_name) ?? asText(model?.id))?.slice(0, LONGEST_NAME),
    session: asText(state?.session_id),
    cost: asAmount(asObject(state?.cost)?.total_cost_usd),
    context: asAmount(asObject(state?.context_window)?.used_percentage),
  }
}

const asAmount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/**
 * One line: the model, the cost of the session, the day and the block of five hours, and the age of these
 * figures.
 */
export function statusLine(
  { model, session, cost, context }: ClientState,
  figures: StatusFigures | undefined,
  { now, today }: { now: number; today: string },
): string {
  const spent = cost ?? (session === undefined ? undefined : own(figures?.sessions, session))
  const parts = [
    model,
    spent === undefined ? undefined : `${dollars(spent)} session`,
    ...(figures ? [dayPart(figures, today), blockPart(figures, now)] : ['counting the past']),
    context === undefined ? undefined : `context ${Math.round(context)} %`,
    figures && now - figures.at > OLD_MS ? `as of ${span(now - figures.at)} ago` : undefined,
  ]
  return parts.filter((part) => part !== undefined).join(' | ')
}

const own = (record: Record<string, number> | undefined, key: string): number | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined

const dayPart = ({ today: { day, cost } }: StatusFigures, today: string): string =>
  `${dollars(day === today ? (cost ?? 0) : 0)} today`

function blockPart({ block }: StatusFigures, now: number): string | undefined {
  if (!block || now >= block.untilMs) return undefined
  const left = `${span(block.untilMs - now)} left`
  if (block.cost === null) return `block ${left}`
  const pace = block.costPerHour === null ? '' : `, ${dollars(block.costPerHour)}/h`
  const then = block.projectedCost === null ? '' : ` to ${dollars(block.projectedCost)}`
  return `${dollars(block.cost)} block, ${left}${pace}${then}`
}

const dollars = (value: number): string => `$${value.toFixed(2)}`

/** `2h 5m`, `14m`. */
function span(ms: number): string {
  const minutes = Math.ceil(ms / MINUTE_MS)
  return minutes < HOUR_MINUTES
    ? `${minutes}m`
    : `${Math.floor(minutes / HOUR_MINUTES)}h ${minutes % HOUR_MINUTES}m`
}
