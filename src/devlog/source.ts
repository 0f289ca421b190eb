import type { Item, Session } from '../model/session.ts'

/**
 * A session with its items in file order. A main session was driven by a human; others ran meanwhile:
 * subagents, schedules, programs.
 */
export interface SourceSession {
  session: Session
  project: string | undefined
  main: boolean
  items: readonly Item[]
}
