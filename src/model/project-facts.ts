import type { Session } from './session.ts'

/** The fields of a session that its project is derived from. */
export type ProjectFacts = Pick<
  Session,
  | ('id' | 'platform' | 'agent' | 'path' | 'slug' | 'parentSessionId')
  | ('cwds' | 'touched' | 'origins' | 'startedMs' | 'lastActivityMs' | 'modifiedMs')
>
