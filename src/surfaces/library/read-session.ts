import type { Item, Session } from '../../model/session.ts'
import type { MachineOptions, SessionFilter } from './shapes.ts'
import { startThread } from './thread.ts'

/**
 * How `readSession` reads a transcript, and where it finds one.
 *
 * @example
 * import { type ReadSessionOptions, readSession } from 'agent-scrollback'
 *
 * const options: ReadSessionOptions = { demo: true, redact: true }
 * const { value } = await readSession('640ab4c7', options).next()
 * value?.line // => 1
 */
export interface ReadSessionOptions extends MachineOptions {
  /** False leaves secrets in the result. */
  redact?: boolean
}

/**
 * Yields the items of one transcript in order. The transcript is named by a path, an id, or a prefix of an id
 * with at least four characters. Stores nothing. Fails with `no-session` or `several-sessions`, or with the
 * system's error if the file cannot be read.
 *
 * @example
 * import { readSession } from 'agent-scrollback'
 *
 * const items = await Array.fromAsync(readSession('640ab4c7', { demo: true }))
 * items.map(({ who }) => who).slice(0, 4) // => ['human', 'agent', 'human', 'agent']
 */
export async function* readSession(
  pathOrId: string,
  options: ReadSessionOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const { redact = true, ...machine } = options
  const { run, end } = startThread(machine)
  try {
    yield* run('readSession', pathOrId, redact)
  } finally {
    await end()
  }
}

/**
 * Yields the sessions of this machine, newest first, from their transcripts. Stores nothing. `openStore` is
 * faster the second time.
 *
 * @example
 * import { findSessions } from 'agent-scrollback'
 *
 * const agents = await Array.fromAsync(findSessions({ demo: true, kind: 'subagent' }))
 * agents.map(({ subagent }) => subagent?.description) // => [undefined, 'Find stock races']
 */
export async function* findSessions(
  options: MachineOptions & SessionFilter = {},
): AsyncGenerator<Session, void, undefined> {
  const { project, platform, agent, kind, since, until, ...machine } = options
  const { run, end } = startThread(machine)
  try {
    yield* run('findSessions', { project, platform, agent, kind, since, until })
  } finally {
    await end()
  }
}
