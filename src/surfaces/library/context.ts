import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { Context } from '../../commands/kit/context.ts'
import { dirFlags, type GivenDirs } from '../../commands/kit/dir-flags.ts'
import { suggesting } from '../../commands/kit/flags.ts'
import { dataFolder, environmentOf, storePathOf, timeOf } from '../environment.ts'
import { withoutDisk } from '../team-store.ts'
import { redacted } from './gate.ts'
import type { DirOptions, StoreOptions } from './shapes.ts'

/** What commands need of the process. `store` says whether they may store what they read. */
export function contextOf(options: StoreOptions, store: boolean, remote?: Context['remote']): Context {
  const { demo, deleted, backups, storePath, onNote } = options
  const flags = { dirs: dirsIn(options), demo, deleted, backups }
  const here = environmentOf(flags)
  const { directory } = here
  const environment = remote ? withoutDisk(here.environment) : here.environment
  const path = storePath === undefined || storePath === ':memory:' ? storePath : resolve(storePath)
  return {
    ...{ environment, directory, here: process.cwd(), now: timeOf(flags), redact: true },
    threads: Math.min(8, availableParallelism()),
    storePath: store ? (path ?? storePathOf(flags)) : undefined,
    dataFolder: dataFolder(),
    ...(remote ? { remote } : {}),
    machine: { device: '', user: '' },
    started: { executable: process.execPath, script: join(process.cwd(), 'library') },
    suggest: suggesting('scrollback', []),
    print: async () => {},
    deliverOut: async () => {},
    note: (message) => onNote?.(redacted(message)),
  }
}

/** Folders by platform, from `dirs` and from each platform's own option. */
function dirsIn(options: StoreOptions): GivenDirs {
  const dirs: GivenDirs = {}
  for (const { option, platform } of dirFlags) {
    const given = options.dirs?.[platform] ?? options[option as keyof DirOptions]
    if (given) dirs[platform] = [...given]
  }
  return dirs
}
