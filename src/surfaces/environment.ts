import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import envPaths from 'env-paths'
import { ScrollbackError } from '../errors.ts'
import type { Environment } from '../model/artifact.ts'

/** Flags that every command takes and that concern the machine rather than the question. */
export interface MachineFlags {
  claudeDir?: string[]
  openclawDir?: string[]
  demo?: boolean
  deleted?: boolean
  backups?: boolean
}

/** Where the story of the demo takes place, and when somebody looks back at it. */
const DEMO_HOME = '/home/dev'
const DEMO_DIRECTORY = '/home/dev/eastore/api'
const DEMO_NOW = Date.UTC(2026, 10, 15, 18)

/** The time that "7d" and "today" are counted from. */
export const timeOf = ({ demo }: MachineFlags): number => (demo ? DEMO_NOW : Date.now())

/** The folder of all that is ours. */
export function dataFolder(): string {
  const given = process.env.SCROLLBACK_HOME
  return given ? resolve(given) : envPaths('scrollback', { suffix: '' }).data
}

/** Where the store lies: in memory for the demo, which leaves nothing behind. */
export function storePathOf(flags: MachineFlags): string {
  if (flags.demo) return ':memory:'
  return join(dataFolder(), 'store.sqlite')
}

/** The machine as the flags describe it. Throws when a folder given by hand is not there. */
export function environmentOf(flags: MachineFlags): { environment: Environment; directory: string } {
  for (const [flag, paths] of [
    ['--claude-dir', flags.claudeDir],
    ['--openclaw-dir', flags.openclawDir],
  ] as const)
    for (const path of paths ?? []) checkDirectory(flag, path)
  if (flags.demo) {
    const demo = demoFolder()
    return {
      environment: {
        home: DEMO_HOME,
        variables: {},
        claudeDirs: [join(demo, '.claude')],
        openclawDirs: [join(demo, '.openclaw')],
        deleted: flags.deleted,
        backups: flags.backups,
      },
      directory: DEMO_DIRECTORY,
    }
  }
  const given = flags.claudeDir !== undefined || flags.openclawDir !== undefined
  return {
    environment: {
      home: process.env.HOME || homedir(),
      variables: process.env,
      // Naming one place means that place alone.
      claudeDirs: flags.claudeDir?.map((path) => resolve(path)) ?? (given ? [] : undefined),
      openclawDirs: flags.openclawDir?.map((path) => resolve(path)) ?? (given ? [] : undefined),
      deleted: flags.deleted,
      backups: flags.backups,
    },
    directory: process.cwd(),
  }
}

function checkDirectory(flag: string, path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return
  throw new ScrollbackError(
    'bad-option',
    stats ? `${flag} ${path}: not a directory` : `${path} is not there`,
    flag === '--claude-dir'
      ? 'Give a directory that exists, such as ~/.claude. To read one transcript: scrollback read <file>'
      : 'Give a directory that exists, such as ~/.openclaw. To read one transcript: scrollback read <file>',
  )
}

/** Beside the bundle in the package, at the top of the checkout in the sources. */
function demoFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'demo')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, 'demo')
}
