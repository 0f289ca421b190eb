import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { Context } from '../../commands/command.ts'
import { suggesting } from '../../commands/shell-word.ts'
import { dataFolder, environmentOf, storePathOf, timeOf } from '../environment.ts'
import { told } from './gate.ts'
import type { StoreOptions } from './shapes.ts'

/** What commands need, from the process; `store` says whether they may keep what they read. */
export function contextOf(options: StoreOptions, store: boolean): Context {
  const { claudeDirs, openclawDirs, demo, deleted, backups, storePath, onNote } = options
  const flags = {
    claudeDir: claudeDirs && [...claudeDirs],
    openclawDir: openclawDirs && [...openclawDirs],
    ...{ demo, deleted, backups },
  }
  const { environment, directory } = environmentOf(flags)
  const path = storePath === undefined || storePath === ':memory:' ? storePath : resolve(storePath)
  return {
    ...{ environment, directory, here: process.cwd(), now: timeOf(flags), redact: true },
    threads: Math.min(8, availableParallelism()),
    storePath: store ? (path ?? storePathOf(flags)) : undefined,
    dataFolder: dataFolder(),
    machine: { device: '', user: '' },
    started: { executable: process.execPath, script: join(process.cwd(), 'library') },
    suggest: suggesting('scrollback', []),
    print: async () => {},
    deliverOut: async () => {},
    note: (message) => onNote?.(told(message)),
  }
}
