import type { Session } from '../../model/session.ts'
import { identityOf } from '../../platforms/identities.ts'
import { grouped } from '../../render/counted.ts'

/** Early enough to save the transcripts. */
const WARNED_DAYS = 7
const DAY = 86_400_000

interface Vanishing {
  /** Transcripts that will be deleted within a week. */
  soon: Session[]
  /** Overdue transcripts, which the client deletes at its next start. */
  overdue: number
  days: number
}

/** The days after which a client deletes transcripts. */
export const retentionOf = (keeps: { days: number }, { retentionDays }: { retentionDays?: number }): number =>
  retentionDays ?? keeps.days

/** Transcripts that their client will delete soon, by the time of their last change. */
export function vanishing(
  sessions: readonly Session[],
  { now, ...wishes }: { now: number; retentionDays?: number },
): Vanishing {
  const daysOf = ({ platform }: Session): number | undefined => {
    const { keeps } = identityOf(platform)
    return keeps && retentionOf(keeps, wishes)
  }
  const soon = sessions.filter((session) => {
    const days = daysOf(session)
    if (days === undefined || session.goneMs !== undefined || session.state === 'purged') return false
    return session.modifiedMs < now - (days - WARNED_DAYS) * DAY
  })
  const overdue = soon.filter((session) => session.modifiedMs < now - daysOf(session)! * DAY).length
  return { soon, overdue, days: (soon[0] && daysOf(soon[0])) ?? 0 }
}

/** The warning in words. Undefined if nothing will be deleted soon. */
export function retentionWarning({ soon, overdue, days }: Vanishing, stored: boolean): string | undefined {
  if (soon.length === 0) return undefined
  const what = soon.length === 1 ? '1 transcript' : `${grouped(soon.length)} transcripts`
  const late = overdue > 0 ? ` (${grouped(overdue)} at its next start)` : ''
  const readable = stored ? ' Their messages remain readable here, without tool output.' : ''
  const { name, keeps } = identityOf(soon[0]!.platform)
  return `${name} deletes ${what} within ${WARNED_DAYS} days${late}, if it keeps them for ${days} days (override with --retention; ${keeps?.setting} in its settings changes it).${readable}`
}
