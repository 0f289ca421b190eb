import { existsSync } from 'node:fs'
import { printable } from '../condense/printable.ts'
import { agentsOf } from '../project/agents.ts'
import { groupByProject } from '../project/group.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { shortId } from './sessions.ts'

/** Sessions whose ids are offered, the newest. */
const OFFERED = 100

/**
 * What a shell offers where a project, an agent or a session may stand, a line each: out of the store as it is, for whoever types does
 * not wait until it is brought up to date. Nothing where there is none, or it cannot be read.
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
