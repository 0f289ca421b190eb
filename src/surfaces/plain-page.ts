import { pageFiles, serveUntilStopped } from '../commands/serve/page.ts'
import type { PageListening } from '../context/context.ts'
import { dirFlags } from '../context/dir-flags.ts'
import { claimProcess } from '../io/process.ts'
import { wrapTalk } from '../render/terminal.ts'
import { columnsOf } from './cli/output.ts'
import { openBrowser, stopSignal } from './cli/processes.ts'
import type { EarlyPage } from './early-page.ts'
import { dataFolder, environmentOf, ownMachine, storePathOf } from './environment.ts'
import { type Host, processHost } from './host.ts'
import { startPage } from './http/page/server.ts'

/** Serves the page until it is stopped. `say` prints what may contain a secret. */
export async function servePlainPage(early: EarlyPage, say: (message: string) => void): Promise<void> {
  const host = processHost()
  claimProcess(host.env)
  const stop = stopSignal(host)
  const faults = new Set<string>()
  const listening = await startPlainPage(early, host, (message) => {
    if (!faults.has(message)) say(message)
    faults.add(message)
  })
  await serveUntilStopped(listening, early, {
    variables: host.env,
    stop,
    openBrowser: host.stdout.isTTY ? openBrowser : undefined,
    note: (text) => host.stderr.write(Buffer.from(wrapTalk(`${text}\n`, columnsOf(host.stderr, host.env)))),
  })
}

/**
 * Serves the page on a server that listens already. This thread loads the server and nothing else of the
 * program: the threads that read do.
 */
function startPlainPage(
  early: EarlyPage,
  own: Host,
  fault: (message: string) => void,
): Promise<PageListening> {
  const { dirs, host, port, token } = early
  const machine = {
    ...environmentOf({ dirs }, own),
    dataFolder: dataFolder(own),
    storePath: storePathOf({}, own),
    ...ownMachine(own),
    // For command lines that are shown.
    globalFlags: Object.fromEntries(dirFlags.map(({ field, platform }) => [field, dirs[platform] ?? []])),
  }
  return startPage(machine, { host, port, token, names: [host], files: pageFiles(), fault }, early)
}
