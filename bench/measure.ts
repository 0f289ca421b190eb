import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'

export interface Measured {
  seconds: number
  /** Peak resident memory in megabytes. Node programs only. */
  megabytes?: number
  /** Its output, if requested. */
  answer?: string
}

export interface RunOptions {
  /** Also measure peak memory. Node programs only. */
  memory?: boolean
  /** Collect stdout instead of discarding it. */
  keep?: boolean
  variables?: Record<string, string>
}

const nowhere = openSync('/dev/null', 'w')
const REPORT =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\nPEAK "+process.resourceUsage().maxRSS+"\\n"))'

/** Runs a command to its end. Throws if it fails. */
export function run(
  command: string,
  args: readonly string[],
  { memory = false, keep = false, variables }: RunOptions = {},
): Measured {
  const given = memory ? ['--import', REPORT, ...args] : args
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(command, given, {
    stdio: ['ignore', keep ? 'pipe' : nowhere, 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, ...variables },
  })
  const seconds = (performance.now() - started) / 1000
  if (error || status !== 0)
    throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stderr}`)
  const peaks = [...stderr.matchAll(/PEAK (\d+)/g)].map(([, kilobytes]) => Number(kilobytes))
  return {
    seconds,
    ...(peaks.length > 0 && { megabytes: Math.round(Math.max(...peaks) / 1000) }),
    ...(keep && { answer: stdout }),
  }
}

/** The fastest of several runs, to exclude disturbances. Memory is the maximum over all runs. */
export function best(times: number, one: () => Measured): Measured {
  return bestOf(Array.from({ length: times }, one))
}

/** The median of several runs, for very short commands. */
export function median(times: number, one: () => Measured): Measured {
  const runs = Array.from({ length: times }, one).sort((a, b) => a.seconds - b.seconds)
  return runs[Math.floor(times / 2)]!
}

/** The fastest run of each. They are measured in turn, so that a disturbance affects all of them. */
export function bestInTurn<Name extends string>(
  times: number,
  sides: Record<Name, () => Measured>,
): Record<Name, Measured> {
  const names = Object.keys(sides) as Name[]
  const runs = Array.from({ length: times }, () => names.map((name) => sides[name]()))
  return Object.fromEntries(
    names.map((name, side) => [name, bestOf(runs.map((round) => round[side]!))]),
  ) as Record<Name, Measured>
}

function bestOf(runs: readonly Measured[]): Measured {
  const least = runs.reduce((least, each) => (each.seconds < least.seconds ? each : least))
  const peaks = runs.flatMap(({ megabytes }) => megabytes ?? [])
  return peaks.length > 0 ? { ...least, megabytes: Math.max(...peaks) } : least
}
