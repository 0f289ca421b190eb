import type { PageListening } from '../commands/kit/context.ts'
import { dirFlags } from '../commands/kit/dir-flags.ts'
import { pageFiles, serveUntilStopped } from '../commands/serve/page.ts'
import { claimProcess } from '../io/process.ts'
import { wrapTalk } from '../render/terminal.ts'
import { columnsOf, writeOut } from './cli/output.ts'
import { openBrowser, stopSignal } from './cli/processes.ts'
import type { EarlyPage } from './early-page.ts'
import { dataFolder, environmentOf, ownMachine, storePathOf } from './environment.ts'
import { startPage } from './http/page/server.ts'

/** Serves the page until it is stopped. `say` prints what may contain a secret. */
export async function servePlainPage(early: EarlyPage, say: (message: string) => void): Promise<void> {
  claimProcess(process.env)
  const stop = stopSignal()
  const faults = new Set<string>()
  const listening = await startPlainPage(early, (message) => {
    if (!faults.has(message)) say(message)
    faults.add(message)
  })
  await serveUntilStopped(listening, early, {
    variables: process.env,
    stop,
    openBrowser: process.stdout.isTTY ? openBrowser : undefined,
    note: (text) => writeOut(2, Buffer.from(wrapTalk(`${text}\n`, columnsOf(process.stderr)))),
  })
}

/**
 * Serves the page on a server that listens already. This thread loads the server and nothing else of the
 * program: the threads that read do.
 */
function startPlainPage(early: EarlyPage, fault: (message: string) => void): Promise<PageListening> {
  const { dirs, host, port, token } = early
  const machine = {
    ...environmentOf({ dirs }),
    dataFolder: dataFolder(),
    storePath: storePathOf({}),
    ...ownMachine(),
    // For command lines that are shown.
    globalFlags: Object.fromEntries(dirFlags.map(({ field, platform }) => [field, dirs[platform] ?? []])),
  }
  return startPage(machine, { host, port, token, names: [host], files: pageFiles(), fault }, early)
}
