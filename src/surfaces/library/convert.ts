import type { HitJson } from '../../commands/search/ask.ts'
import type { Hit, SessionFilter } from './shapes.ts'

/** An invalid date becomes an invalid text, which the command refuses. */
const timeOf = (time: string | Date | undefined): string | undefined =>
  time instanceof Date ? (Number.isNaN(time.getTime()) ? String(time) : time.toISOString()) : time

export const timesOf = ({ since, until }: Pick<SessionFilter, 'since' | 'until'>) => ({
  since: timeOf(since),
  until: timeOf(until),
})

/** Reduces a hit to the documented fields. */
export const hitOf = (hit: HitJson): Hit => {
  const {
    session,
    platform,
    agent,
    project,
    who,
    at,
    snippet,
    marks,
    text,
    tool,
    path,
    line,
    offset,
    score,
  } = hit
  return { session, platform, agent, project, who, at, snippet, marks, text, tool, path, line, offset, score }
}
