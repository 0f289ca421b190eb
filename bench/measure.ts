import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'

export interface Measured {
  seconds: number
  /** Peak resident memory in megabytes; only of Node programs. */
  megabytes?: number
}

const nowhere = openSync('/dev/null', 'w')
const REPORT =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\nPEAK "+process.resourceUsage().maxRSS+"\\n"))'

/** Runs a command with its answer thrown away. Throws when it fails. */
export function run(command: string, args: readonly string[], memory = false): Measured {
  const given = memory ? ['--import', REPORT, ...args] : args
  const started = performance.now()
  const { status, stderr, error } = spawnSync(command, given, {
    stdio: ['ignore', nowhere, 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const seconds = (performance.now() - started) / 1000
  if (error || status !== 0)
    throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stderr}`)
  const peak = /PEAK (\d+)/.exec(stderr)?.[1]
  return { seconds, megabytes: peak === undefined ? undefined : Math.round(Number(peak) / 1000) }
}

/** The best of several runs: what the machine can do when nobody disturbs it. */
export function best(times: number, one: () => Measured): Measured {
  const runs = Array.from({ length: times }, one)
  return runs.reduce((least, each) => (each.seconds < least.seconds ? each : least))
}

/** The middle of several runs, for things that take no time at all. */
export function median(times: number, one: () => Measured): Measured {
  const runs = Array.from({ length: times }, one).sort((a, b) => a.seconds - b.seconds)
  return runs[Math.floor(times / 2)]!
}
