import type { Session } from './session.ts'

/** What of a session says where it belongs. */
export type PlacedSession = Pick<
  Session,
  | ('id' | 'platform' | 'agent' | 'path' | 'slug' | 'parentSessionId')
  | ('cwds' | 'touched' | 'origins' | 'startedMs' | 'lastActivityMs' | 'modifiedMs')
>
