/** Memory and processor time of a process that is running, as Linux counts them. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How often the peak is read. It only grows, so that only the last moments of a process are missed. */
const EVERY_MS = 5

/** Watches a process. */
export function peakOf({ pid }: ChildProcess) {
  let peak = 0
  const about = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8')
    } catch {
      // It has ended.
      return ''
    }
  }
  const look = (): void => {
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(about('status'))?.[1] ?? 0) / 1000)
  }
  const seconds = (): number => {
    // The name in brackets may contain spaces. Ticks are hundredths of a second.
    const fields = about('stat').replace(/^.*\)/s, '').trim().split(/\s+/)
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  const timer = setInterval(look, EVERY_MS)
  return {
    /** Its peak memory so far in megabytes. */
    stop(): number {
      look()
      clearInterval(timer)
      return peak
    },
    /** The share of a core that it uses during so many seconds, in percent. */
    async idleShare(during: number): Promise<number> {
      const before = seconds()
      await new Promise((resolve) => setTimeout(resolve, during * 1000))
      return ((seconds() - before) / during) * 100
    },
  }
}
