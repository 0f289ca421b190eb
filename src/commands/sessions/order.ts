import { isEmptySession, type Session } from '../../model/session.ts'

export const SORTS = ['last', 'cost', 'tokens', 'size', 'duration'] as const

export type Sort = (typeof SORTS)[number]

export const tokensOf = ({ usage }: Pick<Session, 'usage'>): number =>
  usage ? usage.input + usage.output + usage.cacheRead + usage.cacheWrite : 0

/** The time between the first and the last timed item, in ms. Undefined if nothing has a time. */
const durationOf = ({
  startedMs,
  lastActivityMs,
}: Pick<Session, 'startedMs' | 'lastActivityMs'>): number | undefined =>
  startedMs === undefined || lastActivityMs === undefined ? undefined : lastActivityMs - startedMs

/** Sorts by the largest figure first. Equal rows stay newest first, and empty ones come last. */
export function sorted(
  sessions: readonly Session[],
  sort: Sort,
  costOf: (session: Session) => number | undefined,
): Session[] {
  const weigh: Record<Sort, (session: Session) => number> = {
    last: () => 0,
    cost: (session) => costOf(session) ?? -1,
    tokens: tokensOf,
    size: ({ bytes }) => bytes,
    duration: (session) => durationOf(session) ?? -1,
  }
  const weights = new Map(sessions.map((session) => [session, weigh[sort](session)]))
  return sessions.toSorted(
    (a, b) => Number(isEmptySession(a)) - Number(isEmptySession(b)) || weights.get(b)! - weights.get(a)!,
  )
}
