import type { Session } from '../model/session.ts'
import { grouped } from './table.ts'

/** What Claude Code does unless its settings say otherwise; they may hold keys, so nobody looks. */
const ASSUMED_DAYS = 30
/** Who is told so early can still do something. */
const WARNED_DAYS = 7
const DAY = 86_400_000

export interface Vanishing {
  /** Transcripts that will be deleted within a week. */
  soon: Session[]
  /** Those that are past their time: they go when Claude Code is started next. */
  overdue: number
  days: number
}

/** Transcripts that Claude Code is about to delete: it does so by the time of their last change. */
export function vanishing(
  sessions: readonly Session[],
  { now, retentionDays }: { now: number; retentionDays?: number },
): Vanishing {
  const days = retentionDays ?? ASSUMED_DAYS
  const soon = sessions.filter(
    (session) =>
      session.platform === 'claude-code' &&
      session.goneMs === undefined &&
      session.state !== 'purged' &&
      session.modifiedMs < now - (days - WARNED_DAYS) * DAY,
  )
  return { soon, overdue: soon.filter((each) => each.modifiedMs < now - days * DAY).length, days }
}

/** The warning in words; undefined when nothing is about to go. */
export function retentionWarning({ soon, overdue, days }: Vanishing, stored: boolean): string | undefined {
  if (soon.length === 0) return undefined
  const what = soon.length === 1 ? '1 transcript' : `${grouped(soon.length)} transcripts`
  const late = overdue > 0 ? ` (${grouped(overdue)} at its next start)` : ''
  const kept = stored ? ' What was said in them stays readable here, without the outputs of tools.' : ''
  return `Claude Code deletes ${what} within ${WARNED_DAYS} days${late}, if it keeps them ${days} days (--retention says otherwise; cleanupPeriodDays in its settings changes it).${kept}`
}
