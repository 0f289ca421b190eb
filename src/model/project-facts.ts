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
