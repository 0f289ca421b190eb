import { basename, dirname, isAbsolute, join } from 'node:path'
import { fileInside, isFolder, NO_LINKS, sameDirectory } from '../../io/directories.ts'
import type { SeekableSource } from '../../io/source.ts'
import { databaseFault } from '../../io/sqlite.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { Found } from '../platform.ts'
import { isDatabase, sessionsIn, unknownOf } from './database/sessions.ts'
import { openSession } from './database/transcripts.ts'
import { opencodeIdentity } from './identity.ts'
import { HISTORY, leftPrompts, openLeftPrompts } from './prompt-history.ts'
import { openTreeSession, sessionsInTree, TREE, unpackedSessions } from './tree.ts'

const { id: platform, folder } = opencodeIdentity

const STATE = '.local/state/opencode'

/**
 * The data folder of OpenCode, the folder of a database that a variable names, and the folder with the
 * prompts that were typed, if there is one.
 */
export function roots({ home, variables, dirs }: Environment): Root[] {
  const given = dirs?.[platform]
  if (given)
    return rootsAt(
      platform,
      given
        .map(dataFolder)
        .flatMap((path) => [
          [path, '--opencode-dir'] as const,
          ...stateBeside(path).map((state) => [state, '--opencode-dir'] as const),
        ]),
    )
  const [data, state] = [variables.XDG_DATA_HOME, variables.XDG_STATE_HOME].map((each) => each?.trim())
  const own = data ? join(withHome(data, home), 'opencode') : join(home, folder)
  const named = databaseNamed({ home, variables })
  const history = state ? join(withHome(state, home), 'opencode') : join(home, STATE)
  return rootsAt(platform, [
    [own, data ? 'XDG_DATA_HOME' : 'default'],
    ...(named === undefined ? [] : [[dirname(named), 'OPENCODE_DB'] as const]),
    ...(isFolder(history) ? [[history, state ? 'XDG_STATE_HOME' : 'default'] as const] : []),
  ])
}

/** The data folder, where a home directory or a folder between was given. */
const dataFolder = (path: string): string =>
  [folder, folder.replace('.local/', ''), 'opencode'].map((name) => join(path, name)).find(isFolder) ?? path

/** The folder with the prompts that were typed, next to a data folder in the usual place. */
const stateBeside = (data: string): string[] => {
  const state = data.replace(/([/\\])share([/\\]opencode)$/, '$1state$2')
  return state !== data && isFolder(state) ? [state] : []
}

/** The database that `OPENCODE_DB` names: a path, or a name in the data folder. */
function databaseNamed({ home, variables }: Pick<Environment, 'home' | 'variables'>): string | undefined {
  const named = variables.OPENCODE_DB?.trim()
  if (!named || named === ':memory:') return undefined
  if (isAbsolute(named)) return named
  const data = variables.XDG_DATA_HOME?.trim()
  return join(data ? join(withHome(data, home), 'opencode') : join(home, folder), named)
}

const NEVER: Reasons = [
  [/^(?:auth|mcp-auth)\.json/, 'keys of your accounts'],
  [/^opencode\.jsonc?/, 'settings, which may contain keys'],
  [/^log$/, 'logs that may contain tokens'],
  [/^(?:snapshot|bin|repos|worktree|tool-output)$/, 'contain no messages'],
  [/^(?:kv|model)\.json$/, 'state of the terminal'],
]

/** The files and folders of a root that exist but are never opened. */
export const refused = ({ path }: Root): Refusal[] => refusedIn(path, NEVER)

const UNKNOWN_TABLES = 'a database without known session tables. A newer OpenCode needs a newer scrollback.'

/**
 * The allow-list: the sessions in the databases of every channel and in the one that a variable names, those
 * of versions before 1.2 in files of their own, and the history of prompts. Links are not followed.
 */
export function discover(from: Root, environment: Environment): Found {
  const { path: root, reason } = from
  const { found, list } = finderIn(from, environment)
  const { notices, artifacts, unread } = found
  const entries = list(root)
  const named = environment.dirs?.[platform] ? undefined : databaseNamed(environment)
  const isNamed = (name: string): boolean =>
    named !== undefined && name === basename(named) && sameDirectory(root, dirname(named))
  for (const { name } of entries) if (isNamed(name) || isChannel(name)) addDatabase(join(root, name))
  const known = new Set(artifacts.map(({ sessionId }) => sessionId))
  // Sessions in files were imported by the first version with a database, and left in place.
  for (const each of [...sessionsInTree(root, list), ...unpackedSessions(root)])
    if (!known.has(each.sessionId)) artifacts.push(each)
  addHistory()
  return found

  /** In a folder that only the variable names, other databases are not the client's. */
  function isChannel(name: string): boolean {
    return reason !== 'OPENCODE_DB' && isDatabase(name)
  }

  function addDatabase(path: string): void {
    if (!fileInside(root, path, NO_LINKS)) return
    try {
      const sessions = sessionsIn(path, root)
      if (sessions) append(artifacts, sessions)
      const message = sessions ? unknownOf(path) : UNKNOWN_TABLES
      if (message !== undefined) notices.push({ platform, path, message })
    } catch (fault) {
      const { what, then } = databaseFault(fault)
      notices.push({
        platform,
        path,
        message: `a database of sessions that cannot be read (${what}). ${then}`,
      })
    }
  }

  function addHistory(): void {
    if (!entries.some(({ name }) => name === HISTORY)) return
    // The history does not say which database a prompt went to.
    const data = roots(environment).filter(({ path, found }) => found && path !== root)
    const prompts = data.length === 1 ? leftPrompts(root, data[0]!.path) : undefined
    if (prompts) artifacts.push(prompts)
    else
      unread.push({
        path: join(root, HISTORY),
        reason: 'prompts of several databases, which it does not tell apart',
      })
  }
}

/** The lines of a session. Undefined for one that was unpacked from an archive. */
export function open(artifact: Artifact): SeekableSource | undefined {
  const { database, path } = artifact
  if (database === undefined) return undefined
  if (basename(path) === HISTORY) return openLeftPrompts(artifact, database)
  return basename(database) === TREE ? openTreeSession(artifact) : openSession(artifact, database)
}
