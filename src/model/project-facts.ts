import type { Session } from './session.ts'

/** The fields of a session that its project is derived from. */
export type ProjectFacts = Pick<
  Session,
  | ('id' | 'platform' | 'agent' | 'slug' | 'parentSessionId')
  | ('cwds' | 'touched' | 'origins' | 'startedMs' | 'lastActivityMs')
>

/** The sessions of one project, or of none. */
export interface ProjectMembers {
  project?: { name: string; path: string }
  /** The ids of their files in the store. */
  artifacts: readonly number[]
}

/** The same of a stored session, with the project that it is assigned to. */
export interface AssignedFacts extends ProjectFacts {
  /** The id of its file in the store. */
  artifact: number
  assigned: ProjectMembers['project']
}

/** What the project of a session was derived from. */
export interface ProjectEvidence {
  /** The id of its file in the store. */
  artifact: number
  session: string
  parent: string | undefined
  /** The directory and other facts. Sessions with the same evidence have the same project. */
  evidence: string
}
