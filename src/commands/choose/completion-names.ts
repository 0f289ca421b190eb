import { existsSync } from 'node:fs'
import { agentsOf, groupByProject } from '../../project/group.ts'
import { printable } from '../../render/terminal.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { shortId } from './ids.ts'

/** How many sessions are offered, newest first. */
const OFFERED = 100

/**
 * Lists what a shell offers as the name of a project, agent or session, one per line. Reads the store without
 * updating it, because a person is waiting. Yields nothing if there is no readable store.
 */
export async function completionNames(what: 'names' | 'agents', storePath: string): Promise<string> {
  if (!existsSync(storePath)) return ''
  try {
    const { store } = openSqliteStore(storePath, Date.now())
    try {
      const sessions = store
        .sessions()
        .map(({ session }) => session)
        .sort((a, b) => (b.lastActivityMs ?? b.modifiedMs) - (a.lastActivityMs ?? a.modifiedMs))
      const agents = agentsOf(sessions).map(({ id }) => id)
      const names =
        what === 'agents'
          ? agents
          : [
              ...groupByProject(sessions).map(({ name }) => name),
              ...agents,
              'latest',
              ...sessions.slice(0, OFFERED).map(({ id }) => shortId(id)),
            ]
      return [...new Set(names)].map((name) => `${printable(name).replace(/\s+/g, ' ')}\n`).join('')
    } finally {
      store.close()
    }
  } catch {
    return ''
  }
}
