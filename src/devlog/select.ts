import { isEmptySession, type Session } from '../model/session.ts'

/** What is known about a session that a devlog may use. */
export interface Candidate {
  session: Session
  /** Undefined if no topic was requested. */
  topic?: { hits: number; files: number }
  /** It belongs to no project and only mentions the name, with these words. */
  mention?: string
}

/** The requested time, in ms, and ids if the user named the sessions. */
export interface Wish {
  since: number
  until: number
  ids?: readonly string[]
}

/** A session with the decision about it. */
export interface Selected {
  session: Session
  isIn: boolean
  /** Driven by a human. The others are reported as what ran meanwhile. */
  main: boolean
  /** Why it is in or out, in a few words. */
  why: string
}

/** Decides for every session whether a devlog uses it. Oldest first. */
export function select(candidates: readonly Candidate[], wish: Wish): Selected[] {
  const decided = candidates.map((candidate) => decide(candidate, wish))
  const used = new Set(decided.filter(({ isIn, main }) => isIn && main).map(({ session }) => session.id))
  for (const row of decided) {
    const { parentSessionId: parent } = row.session
    // A subagent is part of the story of its parent.
    if (row.isIn && !row.main && parent !== undefined && !used.has(parent) && wish.ids === undefined)
      Object.assign(row, { isIn: false, why: 'its parent session is out' })
  }
  return decided.sort((a, b) => startOf(a.session) - startOf(b.session))
}

export const startOf = ({ startedMs, modifiedMs }: Session): number => startedMs ?? modifiedMs

function decide({ session, topic, mention }: Candidate, { since, until, ids }: Wish): Selected {
  const main = session.kind === 'human'
  const row = (isIn: boolean, why: string): Selected => ({ session, isIn, main, why })
  if (ids !== undefined) {
    const isNamed = ids.some((id) => session.id.startsWith(id) || session.id.startsWith(`agent-${id}`))
    return isNamed ? row(true, 'named with --sessions') : row(false, 'not named with --sessions')
  }
  if (mention !== undefined) return row(false, 'no project, only mentions the name')
  if (isEmptySession(session)) return row(false, 'empty')
  if (session.state === 'backup') return row(false, 'a copy of a session')
  if ((session.lastActivityMs ?? session.modifiedMs) < since)
    return row(false, 'ended before the requested time')
  if (startOf(session) > until) return row(false, 'began after the requested time')
  // A subagent belongs to its parent; anything else needs the topic itself.
  const isOther = !main && session.parentSessionId === undefined
  if (isOther && topic !== undefined && topic.hits + topic.files === 0)
    return row(false, 'nothing on the topic')
  if (!main) return row(true, `ran meanwhile (${session.kind ?? 'unknown'})`)
  if (topic === undefined) return row(true, 'in the project and the time')
  const reasons = [
    ...(topic.hits > 0 ? [`${topic.hits} ${topic.hits === 1 ? 'message' : 'messages'} on the topic`] : []),
    ...(topic.files > 0 ? [`${topic.files} ${topic.files === 1 ? 'file' : 'files'} on the topic`] : []),
  ]
  return reasons.length > 0 ? row(true, reasons.join(', ')) : row(false, 'nothing on the topic')
}
