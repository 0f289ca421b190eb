import { keysAt } from '../../collect/forgotten.ts'
import {
  type ForgottenSession,
  forgottenKey,
  forgottenSessions,
  writeForgotten,
} from '../../io/forgotten-list.ts'
import type { Machine } from './context.ts'

/** The sessions that were forgotten on this machine. Throws a `ScrollbackError` if the list is damaged. */
export function forgottenHere({ environment }: Pick<Machine, 'environment'>): readonly ForgottenSession[] {
  keysAt(environment.forgotten)
  return forgottenSessions(environment.forgotten)
}

/** Adds sessions to the list, each once. Without a list, as in the demo, nothing is kept. */
export function addForgotten(
  sessions: readonly ForgottenSession[],
  { environment }: Pick<Machine, 'environment'>,
): void {
  const before = forgottenHere({ environment })
  const known = keysAt(environment.forgotten)
  const fresh = sessions.filter(({ platform, session }) => !known.has(forgottenKey(platform, session)))
  if (environment.forgotten !== undefined && fresh.length > 0)
    writeForgotten(environment.forgotten, [...before, ...fresh])
}

/** Removes sessions from the list, so that they are read again. */
export function removeForgotten(
  sessions: readonly ForgottenSession[],
  { environment }: Pick<Machine, 'environment'>,
): void {
  const gone = new Set(sessions.map(({ platform, session }) => forgottenKey(platform, session)))
  const others = forgottenHere({ environment }).filter(
    ({ platform, session }) => !gone.has(forgottenKey(platform, session)),
  )
  if (environment.forgotten !== undefined && gone.size > 0) writeForgotten(environment.forgotten, others)
}
