import type { HitJson } from '../../commands/search.ts'
import type { Hit, SessionFilter } from './shapes.ts'

const timeOf = (time: string | Date | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time

export const timesOf = ({ since, until }: Pick<SessionFilter, 'since' | 'until'>) => ({
  since: timeOf(since),
  until: timeOf(until),
})

/** A hit as it is promised, whatever else the command line tells of one. */
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
