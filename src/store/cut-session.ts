import type { Usage } from '../model/event.ts'
import type { Session, Who } from '../model/session.ts'
import { addUsage } from '../model/usage.ts'

const LAST = 3
const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** What a client has cut off a transcript since it was indexed. */
export interface CutPart {
  counts: CutCount[]
  firstHuman: string | undefined
  /** In order. Only the last three count. */
  lastHuman: readonly string[]
}

/** Items of one speaker, with their first and last time in ms. */
interface CutCount {
  who: Who
  count: number
  /** Of them, errors that only read like errors. */
  possible: number
  first: number | null
  last: number | null
}

/** The usage of a reply, or a sum that the agent recorded. */
export type CutUsage = Omit<Usage, 'cost'> & { cost: number | null; ofReply: number }

/** A session, extended by what was cut off its file. */
export function joinCutPart(
  session: Session,
  { counts, firstHuman: first, lastHuman }: CutPart,
  usages: readonly CutUsage[],
): Session {
  if (counts.length === 0) return session
  const of = (who: Who): number => counts.find((each) => each.who === who)?.count ?? 0
  const possible = counts.find(({ who }) => who === 'error')?.possible ?? 0
  const times = counts
    .flatMap(({ first, last }) => [first, last])
    .concat(session.startedMs ?? null, session.lastActivityMs ?? null)
    .filter((time) => time !== null)
    .sort((a, b) => a - b)
  const firstHuman = first ?? session.firstHuman
  return {
    ...session,
    ...(times.length > 0 ? { startedMs: times[0]!, lastActivityMs: times.at(-1)! } : {}),
    human: session.human + of('human'),
    agentMessages: session.agentMessages + of('agent'),
    toolCalls: session.toolCalls + of('tool'),
    errors: session.errors + of('error') - possible,
    possibleErrors: session.possibleErrors + possible,
    firstHuman,
    title: session.title === session.firstHuman ? firstHuman : session.title,
    lastHuman: [...lastHuman.slice(-LAST), ...session.lastHuman].slice(-LAST),
    ...usedBy(session, usages),
    cut: counts.reduce((sum, { count }) => sum + count, 0),
  }
}

/** The usage of a session, including the part that was cut off. */
function usedBy(
  { usage, recorded }: Session,
  earlier: readonly CutUsage[],
): Pick<Session, 'usage' | 'recorded'> {
  const total: Usage = { ...NOTHING, ...usage }
  const stated: Usage = { ...NOTHING, ...recorded }
  for (const { cost, ofReply, ...tokens } of earlier) {
    const used = { ...tokens, ...(cost === null ? {} : { cost }) }
    addUsage(total, ofReply ? used : { ...NOTHING, cost: used.cost })
    if (!ofReply) addUsage(stated, used)
  }
  return {
    ...(usage || earlier.length > 0 ? { usage: total } : {}),
    ...(recorded || earlier.some(({ ofReply }) => !ofReply) ? { recorded: stated } : {}),
  }
}
