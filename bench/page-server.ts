import { spawn } from 'node:child_process'
import { env } from 'node:process'
import { processOf } from './process.ts'
import { node } from './setup.ts'

/** When a page that was opened has its answers, and the server has returned the memory for them. */
export const SETTLED_MS = 20_000

/** A server of a page, and what it takes. Linux only. */
export interface PageServer {
  url: string
  /** Time from the start of the process until its address was printed, in ms. */
  startMs: number
  /** Resident memory in megabytes. */
  megabytes(): number
  /** The most resident memory so far, in megabytes. */
  peak(): number
  /** Processor time so far, in seconds. */
  seconds(): number
  close(): Promise<void>
}

/** Starts a server and waits until it prints its address. */
export async function startServer(
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<PageServer> {
  const began = performance.now()
  const child = spawn(node, args, {
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let held = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      held += piece
      const [found] = /https?:\/\/[^\s"]+/.exec(held) ?? []
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
  })
  const startMs = performance.now() - began
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const running = processOf(child)
  return {
    url,
    startMs,
    megabytes: running.megabytes,
    peak: running.peak,
    seconds: running.seconds,
    async close() {
      child.kill('SIGINT')
      const late = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(late)
    },
  }
}

/** The share of a core that a server uses during so many seconds, in percent. */
export async function idleShare(server: Pick<PageServer, 'seconds'>, seconds: number): Promise<number> {
  const before = server.seconds()
  await pause(seconds * 1000)
  return ((server.seconds() - before) / seconds) * 100
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
