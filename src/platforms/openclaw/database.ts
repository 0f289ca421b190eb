import { countRows } from '../../io/sqlite.ts'
import type { Notice } from '../../model/artifact.ts'

export const DATABASE = 'openclaw-agent.sqlite'

/** Where the sessions stand, newest schema first. No other table is ever named: the same file keeps API keys. */
const TABLES = ['session_windows', 'sessions'] as const

/** Says that sessions stand in a database, and how many; undefined when there are none. */
export function databaseNotice(path: string): Notice | undefined {
  try {
    const sessions = countRows(path, TABLES)
    if (sessions === 0) return undefined
    if (sessions !== undefined) {
      const verb = sessions === 1 ? '1 session is' : `${sessions} sessions are`
      return {
        platform: 'openclaw',
        path,
        message: `${verb} in a database that this version does not read yet`,
        sessions,
      }
    }
    return { platform: 'openclaw', path, message: 'holds no table of sessions that this version knows' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { platform: 'openclaw', path, message: `a database of sessions that cannot be read (${reason})` }
  }
}
