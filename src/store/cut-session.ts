import type { Usage } from '../model/event.ts'
import type { Session, Who } from '../model/session.ts'
import { addUsage } from '../model/usage.ts'

const LAST = 3
const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** What a client has cut off a transcript since it was indexed. */
interface CutPart {
  counts: CutCount[]
  /** The earliest of them. */
  firstHuman: CutPrompt | undefined
  /** In order. Only the last three count. */
  lastHuman: readonly CutPrompt[]
  /** When the first and the last human message was written that is still in the file, in ms. */
  own: { first: number | null; last: number | null }
}

interface CutPrompt {
  text: string
  at: number | null
}

/**
 * Whether a file states a fact of its session. If all its messages were cut off, the store keeps the others.
 */
export const isStated = (fact: unknown): boolean =>
  fact !== undefined && fact !== null && !(Array.isArray(fact) && fact.length === 0)

/** Items of one speaker, with their first and last time in ms. */
interface CutCount {
  who: Who
  count: number
  /** Of them, errors that only read like errors. */
  possible: number
  first: number | null
  last: number | null
}

/**
 * Numbers the lines of what was cut off a file, given in order, from their end: the last one is -1. So they
 * come before the lines of the file and are none of them.
 */
export function numberCutLines<Row extends { generation: number; line: number }>(
  rows: readonly Row[],
): Row[] {
  const lines = new Set(rows.map(keyOf))
  const numbers = new Map(Array.from(lines, (key, index) => [key, index - lines.size]))
  return rows.map((row) => ({ ...row, line: numbers.get(keyOf(row))! }))
}

const keyOf = ({ generation, line }: { generation: number; line: number }): string => `${generation} ${line}`

/** Some items of a session. Those that were cut off come first; they are never many. */
export function fromCutLine<Each extends { line: number }>(
  { line, count, before = 0 }: { line: number; count: number; before?: number },
  cut: readonly Each[],
  own: readonly Each[],
): Each[] {
  const all = [...cut, ...own]
  const found = all.findIndex((each) => each.line >= line)
  const first = found < 0 ? all.length : found
  return all.slice(Math.max(0, first - before), count < 0 ? undefined : first + count)
}

/** The usage of a reply, or a sum that the agent recorded. */
export type CutUsage = Omit<Usage, 'cost'> & { cost: number | null; ofReply: number }

/** A session, extended by what was cut off its file. */
export function joinCutPart(
  session: Session,
  { counts, firstHuman: first, lastHuman, own }: CutPart,
  usages: readonly CutUsage[],
): Session {
  if (counts.length === 0) return session
  const of = (who: Who): number => counts.find((each) => each.who === who)?.count ?? 0
  const possible = counts.find(({ who }) => who === 'error')?.possible ?? 0
  const starts = counts.flatMap(({ first }) => first ?? [])
  const times = counts
    .flatMap(({ first, last }) => [first, last])
    .concat(session.startedMs ?? null, session.lastActivityMs ?? null)
    .filter((time) => time !== null)
    .sort((a, b) => a - b)
  // What was cut off the end is later than the rest.
  const { startedMs: start = Number.POSITIVE_INFINITY } = session
  const isEnd = starts.length > 0 && starts.every((each) => each > start)
  // Rows of a database are deleted in between, too.
  const isFirst = first?.at != null && own.first !== null ? first.at <= own.first : !isEnd
  const firstHuman = (isFirst ? first?.text : session.firstHuman) ?? session.firstHuman ?? first?.text
  const isLater = ({ at }: CutPrompt): boolean => (at !== null && own.last !== null ? at > own.last : isEnd)
  const [earlier, later] = [false, true].map((which) =>
    lastHuman
      .slice(-LAST)
      .filter((each) => isLater(each) === which)
      .map(({ text }) => text),
  ) as [string[], string[]]
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
    lastHuman: [...earlier, ...session.lastHuman, ...later].slice(-LAST),
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
