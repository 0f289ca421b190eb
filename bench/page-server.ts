import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { node } from './setup.ts'

/** A server of a page, and what it takes. Linux only. */
export interface PageServer {
  url: string
  /** Time from the start of the process until its address was printed, in ms. */
  startMs: number
  /** Resident memory in megabytes. */
  megabytes(): number
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
    env: { ...process.env, ...variables },
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
  const about = (name: string): string => readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
  return {
    ...{ url, startMs },
    megabytes: () => Number(/^VmRSS:\s+(\d+)/m.exec(about('status'))![1]) / 1000,
    seconds() {
      // The name in brackets may contain spaces. Ticks are hundredths of a second.
      const [, , ...fields] = about('stat')
        .replace(/\(.*\)/s, '')
        .split(/\s+/)
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    async close() {
      child.kill('SIGINT')
      const late = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(late)
    },
  }
}

/** The share of a core that a server uses during so many seconds, in percent. */
export async function idleShare(server: PageServer, seconds: number): Promise<number> {
  const before = server.seconds()
  await pause(seconds * 1000)
  return ((server.seconds() - before) / seconds) * 100
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
