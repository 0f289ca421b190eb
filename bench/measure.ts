import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'

export interface Measured {
  seconds: number
  /** Processor time of the command and of what it started, in seconds. If requested. */
  processor?: number
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
  /** Also measure processor time, which the load of the machine changes little. Needs a shell. */
  processor?: boolean
  variables?: Record<string, string>
}

let mostRuns = Number.POSITIVE_INFINITY

/** From now on, nothing is repeated more often than this: for finding out whether all of it runs. */
export function limitRuns(most: number): void {
  mostRuns = most
}

/** So many repetitions, or as many as are allowed. */
export const runsOf = (times: number): number => Math.min(times, mostRuns)

const nowhere = openSync('/dev/null', 'w')
const REPORT =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\nPEAK "+process.resourceUsage().maxRSS+"\\n"))'

/** Prints the processor time of all children after the command, and ends as it does. */
const TIMED = '"$@"; status=$?; times >&2; exit $status'

/** Runs a command to its end. Throws if it fails. */
export function run(
  command: string,
  args: readonly string[],
  { memory = false, keep = false, processor = false, variables }: RunOptions = {},
): Measured {
  const given = memory ? ['--import', REPORT, ...args] : [...args]
  const [first, ...rest] = processor ? ['sh', '-c', TIMED, 'sh', command, ...given] : [command, ...given]
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(first!, rest, {
    stdio: ['ignore', keep ? 'pipe' : nowhere, 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, ...variables },
  })
  const seconds = (performance.now() - started) / 1000
  // 1: nothing was found, which is an answer too. Errors are on stderr.
  if (error || (status !== 0 && !(status === 1 && !/^scrollback: /m.test(stderr))))
    throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stderr}`)
  const peaks = [...stderr.matchAll(/PEAK (\d+)/g)].map(([, kilobytes]) => Number(kilobytes))
  return {
    seconds,
    ...(processor && { processor: processorOf(stderr) }),
    ...(peaks.length > 0 && { megabytes: Math.round(Math.max(...peaks) / 1000) }),
    ...(keep && { answer: stdout }),
  }
}

/** The last line of `times`: user and system time of the children. */
function processorOf(stderr: string): number {
  const [user, system] = [...stderr.matchAll(/(\d+)m([\d.]+)s/g)]
    .slice(-2)
    .map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds))
  return user! + system!
}

/**
 * The fastest of several runs, to exclude disturbances. Processor time is the least and memory the most of
 * all runs.
 */
export function best(times: number, one: () => Measured): Measured {
  return bestOf(Array.from({ length: runsOf(times) }, one))
}

/** The median of several runs, for very short commands. */
export function median(times: number, one: () => Measured): Measured {
  const runs = Array.from({ length: runsOf(times) }, one).sort((a, b) => a.seconds - b.seconds)
  return runs[Math.floor(runs.length / 2)]!
}

/** The fastest run of each. They are measured in turn, so that a disturbance affects all of them. */
export function bestInTurn<Name extends string>(
  times: number,
  sides: Record<Name, () => Measured>,
): Record<Name, Measured> {
  const names = Object.keys(sides) as Name[]
  const runs = Array.from({ length: runsOf(times) }, () => names.map((name) => sides[name]()))
  return Object.fromEntries(
    names.map((name, side) => [name, bestOf(runs.map((round) => round[side]!))]),
  ) as Record<Name, Measured>
}

function bestOf(runs: readonly Measured[]): Measured {
  const least = runs.reduce((least, each) => (each.seconds < least.seconds ? each : least))
  const peaks = runs.flatMap(({ megabytes }) => megabytes ?? [])
  const processor = runs.flatMap(({ processor }) => processor ?? [])
  return {
    ...least,
    ...(peaks.length > 0 && { megabytes: Math.max(...peaks) }),
    ...(processor.length > 0 && { processor: Math.min(...processor) }),
  }
}
