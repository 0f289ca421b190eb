import { basename, dirname, isAbsolute, join } from 'node:path'
import { fileInside, isClosed, isFolder, NO_LINKS, sameDirectory } from '../../io/directories.ts'
import type { SeekableSource } from '../../io/source.ts'
import { databaseFault } from '../../io/sqlite.ts'
import type { Artifact, Environment, Refusal, Root } from '../../model/artifact.ts'
import { append } from '../../model/iteration.ts'
import { finderIn, type Reasons, refusedIn, rootsAt, withHome } from '../folders.ts'
import type { PlatformIdentity } from '../identity.ts'
import type { Found } from '../platform.ts'
import { BUILDS, type Build, buildAt, buildsOf } from './builds.ts'
import { databasesIn, sessionsIn, subagentIn, unknownOf } from './database/sessions.ts'
import { openSession } from './database/transcripts.ts'
import { HISTORY, leftPrompts, openLeftPrompts } from './prompt-history.ts'
import { openTreeSession, sessionsInTree, TREE, titleInFile, unpackedSessions } from './tree.ts'

/** The folders with the data of each build, and with what was typed, below the home directory. */
const DATA = '.local/share'
const STATE = '.local/state'

const variable = (name: string, { variables }: Pick<Environment, 'variables'>): string | undefined =>
  variables[name]?.trim() || undefined

/** The data folder of a build. */
function dataOf(build: Build, environment: Pick<Environment, 'home' | 'variables'>): string {
  const above = variable('XDG_DATA_HOME', environment)
  return above ? join(withHome(above, environment.home), build) : join(environment.home, DATA, build)
}

/** The database that the variable of a build names: a path, or a name in the data folder. */
function namedDatabase(
  build: Build,
  environment: Pick<Environment, 'home' | 'variables'>,
): string | undefined {
  const named = variable(BUILDS[build].variable, environment)
  if (!named || named === ':memory:') return undefined
  return isAbsolute(named) ? named : join(dataOf(build, environment), named)
}

/** The data folder, where a home directory or a folder between was given. */
const dataFolder = (path: string, platform: string): string =>
  buildsOf(platform)
    .flatMap((build) => [join(DATA, build), join(basename(DATA), build), build])
    .map((name) => join(path, name))
    .find(isFolder) ?? path

const mayBeThere = (path: string): boolean => isFolder(path) || isClosed(path)

/** The folder with the prompts that were typed, next to a data folder in the usual place. */
const stateBeside = (data: string): string[] => {
  const state = data.replace(/([/\\])share([/\\][^/\\]+)$/, '$1state$2')
  return state !== data && mayBeThere(state) ? [state] : []
}

const NEVER: Reasons = [
  [/^(?:auth|mcp-auth)\.json/, 'keys of your accounts'],
  [new RegExp(`^(?:${Object.keys(BUILDS).join('|')})\\.jsonc?`), 'settings, which may contain keys'],
  [/^log$/, 'logs that may contain tokens'],
  [/^telemetry-id$/, 'identifies your installation'],
  [/^(?:snapshot|bin|repos|worktree|tool-output)$/, 'contain no messages'],
  [/^(?:kv|model)\.json$/, 'state of the terminal'],
]

/** The lines of a session. Undefined for one that was unpacked from an archive. */
function open(artifact: Artifact): SeekableSource | undefined {
  const { database, path } = artifact
  if (database === undefined) return undefined
  if (basename(path) === HISTORY) return openLeftPrompts(artifact, database)
  return basename(database) === TREE ? openTreeSession(artifact) : openSession(artifact, database)
}

/** Adds task and type of a subagent, where the session is no row of a database, which has them at hand. */
function describe(artifact: Artifact): Artifact {
  const { database, path } = artifact
  if (basename(path) === HISTORY || (database !== undefined && basename(database) !== TREE)) return artifact
  try {
    return { ...artifact, ...subagentIn(titleInFile(artifact)) }
  } catch {
    // Reading the session reports it.
    return artifact
  }
}

/** The files of OpenCode, or of a platform whose clients are builds of it. */
export function filesOf({ id: platform, name, dirName }: PlatformIdentity) {
  const own = buildsOf(platform)
  return { roots, discover, refused, open, describe }

  /**
   * The data folder of each build, the folder of a database that a variable names, and the folder with the
   * prompts that were typed. Of builds other than the platform's own client, only what exists.
   */
  function roots(environment: Environment): Root[] {
    const { home, dirs } = environment
    const given = dirs?.[platform]
    const flag = `--${dirName}-dir`
    if (given)
      return rootsAt(
        platform,
        given
          .map((path) => dataFolder(path, platform))
          .flatMap((path) => [path, ...stateBeside(path)].map((each) => [each, flag] as const)),
      )
    const [data, state] = ['XDG_DATA_HOME', 'XDG_STATE_HOME'].map((each) => variable(each, environment))
    return rootsAt(
      platform,
      own.flatMap((build, index) => {
        const folder = dataOf(build, environment)
        const named = namedDatabase(build, environment)
        const history = state ? join(withHome(state, home), build) : join(home, STATE, build)
        return [
          ...(index === 0 || isFolder(folder) ? [[folder, data ? 'XDG_DATA_HOME' : 'default'] as const] : []),
          ...(named === undefined ? [] : [[dirname(named), BUILDS[build].variable] as const]),
          ...(mayBeThere(history) ? [[history, state ? 'XDG_STATE_HOME' : 'default'] as const] : []),
        ]
      }),
    )
  }

  /** The build whose files are at a path, or whose variable names them. */
  function agentAt(path: string, reason = ''): Build {
    const named = [basename(path), basename(dirname(path))].map((each) => buildAt(platform, each))
    return (
      named.find((each) => each !== undefined) ??
      own.find((build) => BUILDS[build].variable === reason) ??
      own[0]!
    )
  }

  /** The files and folders of a root that exist but are never opened. */
  function refused({ path }: Root): Refusal[] {
    return refusedIn(path, NEVER)
  }

  /**
   * The allow-list: the sessions in the databases of every channel and in the one that a variable names,
   * those of versions before 1.2 in files of their own, and the history of prompts. In a folder that a flag
   * names, the database may have any name. Links are not followed.
   */
  function discover(from: Root, environment: Environment): Found {
    const { path: root, reason } = from
    const { found, list } = finderIn(from, environment)
    const { notices, artifacts, unread } = found
    const entries = list(root)
    const owner = { platform, agent: agentAt(root, reason), root }
    const isGiven = environment.dirs?.[platform] !== undefined
    const named = isGiven ? [] : own.flatMap((build) => namedDatabase(build, environment) ?? [])
    const isNamed = (file: string): boolean =>
      named.some((path) => file === basename(path) && sameDirectory(root, dirname(path)))
    // In a folder that only a variable names, other databases are not the client's.
    const isOnlyNamed = own.some((build) => BUILDS[build].variable === reason)
    const channels = isOnlyNamed ? [] : databasesIn(platform, root, isGiven)
    for (const { name: file } of entries)
      if (isNamed(file) || channels.includes(file)) addDatabase(join(root, file))
    const known = new Set(artifacts.map(({ sessionId }) => sessionId))
    // Sessions in files were imported by the first version with a database, and left in place.
    for (const each of [...sessionsInTree(owner, list), ...unpackedSessions(owner)])
      if (!known.has(each.sessionId)) artifacts.push(each)
    addHistory()
    return found

    function addDatabase(path: string): void {
      if (!fileInside(root, path, NO_LINKS)) return
      try {
        const sessions = sessionsIn(path, { ...owner, agent: agentAt(path, reason) })
        if (sessions) append(artifacts, sessions)
        const message = sessions
          ? unknownOf(path)
          : `a database without known session tables. A newer ${name} needs a newer scrollback.`
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
      if (!entries.some(({ name: file }) => file === HISTORY)) return
      // The history does not say which database a prompt went to.
      const data = roots(environment).filter(
        (each) => each.found && each.path !== root && agentAt(each.path) === owner.agent,
      )
      const prompts = data.length === 1 ? leftPrompts(owner, data[0]!.path) : undefined
      if (prompts) artifacts.push(prompts)
      else
        unread.push({
          path: join(root, HISTORY),
          reason: 'prompts of several databases, which it does not tell apart',
        })
    }
  }
}
