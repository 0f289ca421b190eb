import { sessionJson } from '../../condense/item-json.ts'
import { isEmptySession, type Session } from '../../model/session.ts'
import { chooseSessions } from './choose-sessions.ts'
import type { Context } from './context.ts'
import { costsOf } from './costs.ts'
import { type Filters, spanOf } from './filters.ts'
import { loadSessions } from './load-sessions.ts'
import { finishSession } from './read-messages.ts'
import { partOfList } from './session-names.ts'

/** A session in the list. `words` mention the requested name, if nothing else does. */
interface Listed {
  session: Session
  words: string | undefined
}

interface SessionsWanted extends Filters {
  project?: string | undefined
  identities: boolean
  mentioned?: boolean
  sort: Sort
}

/** The sessions that the filters choose, in order. Making a row takes longer than choosing it. */
export async function rowsOf(input: SessionsWanted, context: Context) {
  const loaded = loadSessions(input, context, partOf(input, context))
  const chosen = await chooseSessions(loaded, { ...input, name: input.project }, context)
  const costOf = input.sort === 'cost' ? await costsOf(loaded.sessions, context) : undefined
  const own = sorted(chosen.sessions, input.sort, costOf ?? (() => undefined))
  const listed: Listed[] = [...own.map((session) => ({ session, words: undefined })), ...chosen.mentions]
  return {
    loaded,
    chosen,
    listed,
    rowOf: ({ session, words }: Listed) => ({
      ...sessionJson(finishSession(session, input.identities), chosen.nameOf(session), words),
      ...(costOf && { cost: costOf(session) ?? null }),
    }),
  }
}

/** What is enough of a team store. For an unknown agent, an error lists all others. */
const partOf = ({ project: name, agent, since }: SessionsWanted, context: Context) =>
  agent === undefined ? partOfList({ name, sinceMs: spanOf({ since }, context).since }) : undefined

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
