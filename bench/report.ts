import type { Measured } from './measure.ts'

/** A goal: an upper or lower bound. Absent if there is none. */
interface Goal {
  most?: number
  least?: number
  /** The unit of the number. Defaults to `×`. */
  unit?: string
}

let printed = 0

/** The number of rows printed so far that are not skipped. */
export const rowsPrinted = (): number => printed

/** Counts a row of a table of another shape. */
export function countRow(): void {
  printed++
}

/** Collects measurements, prints each to stderr, and all of them as one table. */
export function createReport(title: string) {
  const rows: string[] = []
  const add = (what: string, value: number, goal: Goal, how: string): void => {
    const { most, least, unit = '×' } = goal
    if (!Number.isFinite(value)) throw new Error(`${what}: ${value} is no figure`)
    const wanted =
      most !== undefined ? `≤ ${most} ${unit}` : least !== undefined ? `≥ ${least} ${unit}` : '(none)'
    const met = value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY)
    const verdict = most === undefined && least === undefined ? '' : met ? 'yes' : 'no'
    printed++
    rows.push(`| ${what} | ${readable(value)} ${unit} | ${wanted} | ${verdict} | ${how} |`)
    process.stderr.write(`${rows.at(-1)}\n`)
  }
  return {
    add,
    /** How many times slower than the baseline. */
    slower(what: string, ours: Measured, theirs: Measured, goal: Goal): void {
      add(what, ours.seconds / theirs.seconds, goal, against(ours, theirs))
    },
    /** How many times faster than the baseline. */
    faster(what: string, ours: Measured, theirs: Measured, goal: Goal): void {
      add(what, theirs.seconds / ours.seconds, goal, against(ours, theirs))
    },
    /** The same in processor time, which the load of the machine changes little. */
    costlier(what: string, ours: Measured, theirs: Measured, goal: Goal): void {
      const [own, other] = [ours.processor!, theirs.processor!]
      add(what, own / other, goal, `${secondsText(own)} against ${secondsText(other)} of processor time`)
    },
    skip(what: string, why: string): void {
      rows.push(`| ${what} | skipped | | | ${why} |`)
      process.stderr.write(`${rows.at(-1)}\n`)
    },
    print(): void {
      process.stdout.write(
        `\n| ${title} | measured | goal | met | of what |\n|---|---|---|---|---|\n${rows.join('\n')}\n`,
      )
    },
  }
}

export type Report = ReturnType<typeof createReport>

const readable = (value: number): string =>
  value < 100 ? value.toFixed(value < 10 ? 2 : 1) : String(Math.round(value))

const against = (ours: Measured, theirs: Measured): string => `${timeOf(ours)} against ${timeOf(theirs)}`

const timeOf = ({ seconds }: Measured): string => secondsText(seconds)

export const secondsText = (seconds: number): string =>
  seconds < 0.1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`
