import type { PageListening } from '../commands/kit/context.ts'
import { dirFlags } from '../commands/kit/dir-flags.ts'
import { pageFiles } from '../commands/serve/page.ts'
import type { EarlyPage } from './early-page.ts'
import { dataFolder, environmentOf, storePathOf } from './environment.ts'
import { startPage } from './http/page/server.ts'
import { ownMachine } from './own-machine.ts'

/**
 * Serves the page on a server that listens already. This thread loads the server and nothing else of the
 * program: the threads that read do.
 */
export function startPlainPage(early: EarlyPage, fault: (message: string) => void): Promise<PageListening> {
  const { dirs, host, port, token } = early
  const machine = {
    ...environmentOf({ dirs }),
    ...{ dataFolder: dataFolder(), storePath: storePathOf({}), ...ownMachine() },
    // For command lines that are shown.
    globalFlags: Object.fromEntries(dirFlags.map(({ field, platform }) => [field, dirs[platform] ?? []])),
  }
  return startPage(machine, { host, port, token, names: [host], files: pageFiles(), fault }, early)
}
