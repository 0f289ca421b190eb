import type { Session } from '../../model/session.ts'
import { groupByProject } from '../../project/group.ts'
import type { Context } from '../kit/context.ts'
import { finishSession } from '../kit/read-messages.ts'
import { type LoadedRuns, loadRuns } from '../kit/runs.ts'
import { type FoundSession, rowOf } from './find-session.ts'

/** A session as listings show it, among all others. */
export interface Listed {
  session: Session
  project: string | undefined
  loaded: LoadedRuns
}

/** The short names of projects by session. */
export function projectNames(sessions: readonly Session[]): Map<Session, string> {
  const names = new Map<Session, string>()
  for (const { name, path, sessions: own } of groupByProject(sessions))
    if (path !== undefined) for (const session of own) names.set(session, name)
  return names
}

export function chooseListed(found: FoundSession, context: Context): Listed {
  const loaded = loadRuns(context)
  const listed = loaded.sessions.find(({ path }) => path === found.session.path)
  const project = listed ? projectNames(loaded.sessions).get(listed) : found.project
  return { session: finishSession(listed ?? rowOf(found)), project, loaded }
}
