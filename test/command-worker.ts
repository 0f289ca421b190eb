/** Runs commands of the program one after another, as far as a process is needed for none of them. */
import { realpathSync } from 'node:fs'
import { type MessagePort, workerData } from 'node:worker_threads'
import type { Host } from '../src/surfaces/host.ts'
import { collected, noStream } from './collected.ts'
import type { Asked, Told } from './in-process.ts'

const { module, version, port, done } = workerData as {
  /** The module with `main`. */
  module: string
  version: string
  port: MessagePort
  done: Int32Array
}

async function run({ args, env, cwd }: Asked): Promise<Told> {
  const [stdout, stderr] = [collected(), collected()]
  const host: Host = {
    isOurs: false,
    env,
    cwd: () => realpathSync(cwd),
    now: () => Date.now(),
    stdin: { isTTY: false, stream: noStream },
    stdout,
    stderr,
    started: { executable: process.execPath, script: workerData.program },
    on: () => () => {},
    raise: () => {},
    exit: noStream,
  }
  const { main } = (await import(module)) as typeof import('../src/surfaces/cli/main.ts')
  const told = (code: number): Told => ({ stdout: stdout.text(), stderr: stderr.text(), code })
  return new Promise((settle) => {
    const fail = (error: unknown): void => {
      stderr.write(Buffer.from(`${(error as Error)?.stack ?? error}\n`))
      settle(told(1))
    }
    // A process would end with it.
    process.once('uncaughtException', fail)
    main(args, host, version)
      .then((code) => settle(told(code)), fail)
      .finally(() => process.off('uncaughtException', fail))
  })
}

port.on('message', async (asked: Asked) => {
  const told = await run(asked)
  port.postMessage(told)
  Atomics.store(done, 0, 1)
  Atomics.notify(done, 0)
})
