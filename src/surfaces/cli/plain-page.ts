import { serveUntilStopped } from '../../commands/serve/page.ts'
import { claimProcess } from '../../io/process/own-process.ts'
import { wrapTalk } from '../../render/wrap.ts'
import type { EarlyPage } from '../early-page.ts'
import { startPlainPage } from '../plain-page.ts'
import { writeOut } from './output.ts'
import { openBrowser, stopSignal } from './processes.ts'
import { columnsOf } from './width.ts'

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
    ...{ variables: process.env, stop },
    openBrowser: process.stdout.isTTY ? openBrowser : undefined,
    note: (text) => writeOut(2, Buffer.from(wrapTalk(`${text}\n`, columnsOf(process.stderr)))),
  })
}
