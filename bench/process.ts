import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How often the peak is read. It only grows, so that only the last moments of a process are missed. */
const EVERY_MS = 5

/** Memory and processor time of a running process, as Linux counts them. */
export function processOf({ pid }: ChildProcess) {
  const about = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8')
    } catch {
      // It has ended.
      return ''
    }
  }
  const megabytesOf = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(about('status'))?.[1] ?? 0) / 1000
  const peak = (): number => megabytesOf('VmHWM')
  return {
    /** The most memory so far, in megabytes. */
    peak,
    /** Resident memory, in megabytes. */
    megabytes: () => megabytesOf('VmRSS'),
    /** Processor time so far. */
    seconds(): number {
      // Fields after the name, which is in brackets and may contain spaces: the 14th and 15th of all are
      // times in hundredths of a second.
      const fields = about('stat').replace(/^.*\)/s, '').trim().split(/\s+/)
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    /** Watches its peak memory, in megabytes. `stop` returns it. */
    watchPeak() {
      let most = 0
      const look = (): void => {
        most = Math.max(most, peak())
      }
      const timer = setInterval(look, EVERY_MS)
      return {
        stop(): number {
          look()
          clearInterval(timer)
          return most
        },
      }
    },
  }
}
