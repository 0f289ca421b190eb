import { existsSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import { dirFlags, type GivenDirs } from '../commands/kit/dir-flags.ts'
import { inPackage } from '../commands/kit/package-folder.ts'
import { ScrollbackError } from '../errors.ts'
import { FORGOTTEN } from '../io/forgotten-list.ts'
import type { Environment } from '../model/artifact.ts'
import { identities } from '../platforms/identities.ts'
import { onlyDirs } from './dirs.ts'

/** The global flags that select the machine. */
export interface MachineFlags {
  /** Folders by platform. See `dirsOf`. */
  dirs?: GivenDirs
  demo?: boolean
  deleted?: boolean
  backups?: boolean
}

/** The home and the current directory of the demo, and its current time. */
const DEMO_HOME = '/home/dev'
const DEMO_DIRECTORY = '/home/dev/eastore/api'
const DEMO_NOW = Date.UTC(2026, 10, 15, 16, 30)
/** After so many days, the client of the demo deletes transcripts. */
export const DEMO_RETENTION_DAYS = 80

/** The time that `7d` and `today` refer to. */
export const timeOf = ({ demo }: MachineFlags): number => (demo ? DEMO_NOW : Date.now())

/** The folder of our own files. */
export function dataFolder(): string {
  const given = process.env.SCROLLBACK_HOME
  return given ? resolve(given) : envPaths('scrollback', { suffix: '' }).data
}

/** The path of the store. The demo uses a store in memory. */
export function storePathOf(flags: MachineFlags): string {
  if (flags.demo) return ':memory:'
  return join(dataFolder(), 'store.sqlite')
}

/** The machine that the flags select. Throws if a given folder does not exist. */
export function environmentOf(flags: MachineFlags): { environment: Environment; directory: string } {
  for (const { name, platform, example } of dirFlags)
    for (const path of flags.dirs?.[platform] ?? []) checkDirectory(name, path, example)
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
      home: process.env.HOME || homedir(),
      variables: process.env,
      dirs: onlyDirs(flags.dirs ?? {}),
      deleted: flags.deleted || undefined,
      backups: flags.backups || undefined,
      forgotten: join(dataFolder(), FORGOTTEN),
    },
    directory: process.cwd(),
  }
}

function checkDirectory(flag: string, path: string, example: string): void {
  const stats = statsOf(path)
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
