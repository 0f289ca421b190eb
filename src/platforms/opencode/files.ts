import { join } from 'node:path'
import { fileInside, isFolder, listDirectory, NO_LINKS } from '../../io/directories.ts'
import { databaseFault } from '../../io/sqlite.ts'
import type { Artifact, Environment, Notice, Refusal, Root } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import { type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found } from '../platform.ts'
import { sessionsIn } from './database.ts'
import { opencodeIdentity } from './identity.ts'

const { id: platform, folder } = opencodeIdentity

/** The data folder of OpenCode, and the folder of a database that a variable names. */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given.map(
        (path) => [isFolder(join(path, folder)) ? join(path, folder) : path, '--opencode-dir'] as const,
      ),
    )
  const data = variables.XDG_DATA_HOME?.trim()
  return rootsAt(
    platform,
    data ? [[join(withHome(data, home), 'opencode'), 'XDG_DATA_HOME']] : [[join(home, folder), 'default']],
  )
}

const NEVER: Reasons = [
  [/^(?:auth|mcp-auth)\.json/, 'keys of your accounts'],
  [/^log$/, 'logs that may contain tokens'],
  [/^(?:snapshot|bin|repos|worktree)$/, 'contain no messages'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

/** The database of a release channel, such as `opencode-dev.db`. */
const DATABASE = /^opencode(?:-[\w.]+)?\.db$/
const UNKNOWN_TABLES = 'a database without known session tables. A newer OpenCode needs a newer scrollback.'

/** The allow-list: the sessions in the databases of every channel. Links are not followed. */
export function discover({ path: root }: Root): Found {
  const notices: Notice[] = []
  const artifacts: Artifact[] = []
  const { entries, error } = listDirectory(root)
  if (error && error !== 'ENOENT')
    notices.push({ platform, path: root, message: `cannot be listed (${error})` })
  for (const { name } of entries) {
    const path = join(root, name)
    if (!DATABASE.test(name) || !fileInside(root, path, NO_LINKS)) continue
    try {
      const found = sessionsIn(path, root)
      if (found) append(artifacts, found)
      else notices.push({ platform, path, message: UNKNOWN_TABLES })
    } catch (fault) {
      const { what, then } = databaseFault(fault)
      notices.push({
        platform,
        path,
        message: `a database of sessions that cannot be read (${what}). ${then}`,
      })
    }
  }
  return { artifacts, notices, unread: [] }
}
