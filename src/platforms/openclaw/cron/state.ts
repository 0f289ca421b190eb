import type { CronState } from '../../../model/cron.ts'
import { asNumber, asObject, asText, asTime } from '../../../model/json.ts'
import { statusOf } from './status.ts'

/**
 * Parses the scheduler's state of a job, from `state` in the job or from a file of its own. `updated`: when
 * it was written, if recorded.
 */
export function stateOf(value: unknown, updated?: unknown): CronState {
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
