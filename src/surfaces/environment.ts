import { existsSync, type Stats, statSync } from 'node:fs'
import { availableParallelism, homedir, hostname, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { dirFlags, type GivenDirs } from '../context/dir-flags.ts'
import { ScrollbackError } from '../errors.ts'
import { FORGOTTEN } from '../io/forgotten-list.ts'
import { inPackage } from '../io/process.ts'
import type { Environment } from '../model/artifact.ts'
import { identities } from '../platforms/identities.ts'
import type { Host } from './host.ts'

/** The global flags that select the machine. */
interface MachineFlags {
  /** Folders by platform. See `dirsOf`. */
  dirs?: GivenDirs
  demo?: boolean
  deleted?: boolean
  backups?: boolean
}

/** The home and the current directory of the demo, and its current time. */
const DEMO_HOME = '/home/dev'
const DEMO_DIRECTORY = '/home/dev/eastore/api'
export const DEMO_NOW = Date.UTC(2026, 10, 15, 16, 30)
/** After so many days, the client of the demo deletes transcripts. */
export const DEMO_RETENTION_DAYS = 80

/** The time that `7d` and `today` refer to. */
export const timeOf = ({ demo }: MachineFlags, host: Pick<Host, 'now'>): number =>
  demo ? DEMO_NOW : host.now()

/** What paths depend on. */
type Surroundings = Pick<Host, 'env' | 'cwd'>

/** A relative path is one of the host's current directory, which may differ from that of the process. */
const absolute = (path: string, host: Surroundings): string =>
  isAbsolute(path) ? resolve(path) : resolve(currentDirectory(host), path)

/** Where each system wants the data of programs. */
function dataBelow(folder: string, { LOCALAPPDATA, XDG_DATA_HOME }: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(folder, 'Library', 'Application Support', 'scrollback')
  if (process.platform === 'win32')
    return join(LOCALAPPDATA || join(folder, 'AppData', 'Local'), 'scrollback', 'Data')
  return join(XDG_DATA_HOME || join(folder, '.local', 'share'), 'scrollback')
}

/** The folder of our own files. */
export function dataFolder(host: Surroundings): string {
  const given = host.env.SCROLLBACK_HOME
  return given ? absolute(given, host) : resolve(home(host), dataBelow(home(host), host.env))
}

/** The home of the user. An empty variable, as some services have, is none. */
function home(host: Surroundings): string {
  if (host.env.HOME) return absolute(host.env.HOME, host)
  try {
    return absolute(homedir() || userInfo().homedir, host)
  } catch (error) {
    // As in containers that run as a user id of their own.
    throw new ScrollbackError(
      'unreadable',
      'HOME is not set, and the system knows no home directory of this user.',
      'Set HOME to the directory that has the folders of your agents, for example: export HOME=/home/ann',
      error,
    )
  }
}

/** The path of the store. The demo uses a store in memory. */
export function storePathOf(flags: MachineFlags, host: Surroundings): string {
  if (flags.demo) return ':memory:'
  return join(dataFolder(host), 'store.sqlite')
}

/** The machine that the flags select. Throws if a given folder does not exist. */
export function environmentOf(
  flags: MachineFlags,
  host: Surroundings,
): { environment: Environment; directory: string } {
  for (const { name, platform, example } of dirFlags)
    for (const path of flags.dirs?.[platform] ?? []) checkDirectory(name, path, example, host)
  if (flags.demo) {
    const demo = inPackage('demo')!
    return {
      environment: {
        home: DEMO_HOME,
        variables: {},
        dirs: Object.fromEntries(
          identities.map(({ id, folder }) => [id, [join(demo, folder)].filter(existsSync)]),
        ),
        deleted: flags.deleted || undefined,
        backups: flags.backups || undefined,
      },
      directory: DEMO_DIRECTORY,
    }
  }
  return {
    environment: {
      home: home(host),
      variables: host.env,
      dirs: onlyDirs(flags.dirs ?? {}, host),
      deleted: flags.deleted || undefined,
      backups: flags.backups || undefined,
      forgotten: join(dataFolder(host), FORGOTTEN),
    },
    directory: currentDirectory(host),
  }
}

function checkDirectory(flag: string, path: string, example: string, host: Surroundings): void {
  const stats = statsOf(absolute(path, host))
  if (stats?.isDirectory()) return
  throw new ScrollbackError(
    'bad-option',
    stats ? `${flag} ${path}: not a directory` : `${flag} ${path}: no such directory`,
    `Use an existing directory, such as ${example}. To read one transcript, give its path to read.`,
  )
}

/** Undefined if there is no such file, or if the path is invalid (for instance too long). */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The folders in the flags: those of one platform, and `--dir <platform>=<folder>`. */
export function dirsOf(flags: Readonly<Record<string, unknown>>, host: Surroundings): GivenDirs {
  const dirs: GivenDirs = {}
  for (const { field, platform } of dirFlags) {
    const given = (flags[field] ?? []) as string[]
    if (given.length > 0) dirs[platform] = [...given]
  }
  for (const pair of (flags.dir as string[] | undefined) ?? []) {
    const [, platform, path] = /^([^=]+)=(.+)$/s.exec(pair) ?? []
    if (platform === undefined || !identities.some(({ id }) => id === platform))
      throw new ScrollbackError(
        'bad-option',
        `--dir: invalid value "${pair}"`,
        `Name a platform and a folder: ${identities.map(({ id, folder }) => `--dir ${id}=~/${folder}`).join(', ')}`,
      )
    // Shells do not expand a tilde after `=`.
    dirs[platform] = [...(dirs[platform] ?? []), path!.replace(/^~(?=\/|$)/, () => home(host))]
  }
  return dirs
}

/**
 * Folders as absolute paths. If one folder is given, only given folders are read. Undefined if none is given.
 */
export function onlyDirs(given: GivenDirs, host: Surroundings): GivenDirs | undefined {
  if (Object.keys(given).length === 0) return undefined
  return Object.fromEntries(
    identities.map(({ id }) => [id, (given[id] ?? []).map((path) => absolute(path, host))]),
  )
}

/** What the system says about this machine and this process. */
export const ownMachine = (host: Host) => ({
  machine: { device: hostname(), user: userName() },
  started: { ...host.started, script: absolute(host.started.script ?? '', host) },
  here: currentDirectory(host),
  threads: Math.min(8, availableParallelism()),
})

/** The current directory. If it was deleted, as a worktree may be, its former path, as the shell names it. */
export function currentDirectory({ cwd, env }: Surroundings): string {
  try {
    return cwd()
  } catch (error) {
    const { PWD } = env
    if (PWD?.startsWith('/')) return PWD
    throw new ScrollbackError(
      'unreadable',
      'The current directory was deleted.',
      'Change to another one, for example: cd ~',
      error,
    )
  }
}

/** Empty if the system has no name for the user. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}
