import type { Measured } from './measure.ts'

/** What is aimed at: at most or at least so much; absent where nothing is. */
interface Goal {
  most?: number
  least?: number
  /** What the number counts; `×` unless given. */
  unit?: string
}

/** Gathers measures, tells each on stderr as it comes, and prints them as one table. */
export function createReport(title: string) {
  const rows: string[] = []
  const add = (what: string, value: number, goal: Goal, how: string): void => {
    const { most, least, unit = '×' } = goal
    const wanted =
      most !== undefined ? `≤ ${most} ${unit}` : least !== undefined ? `≥ ${least} ${unit}` : '(none)'
    const met = value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? Number.NEGATIVE_INFINITY)
    const verdict = most === undefined && least === undefined ? '' : met ? 'yes' : 'no'
    rows.push(`| ${what} | ${readable(value)} ${unit} | ${wanted} | ${verdict} | ${how} |`)
    process.stderr.write(`${rows.at(-1)}\n`)
  }
  return {
    add,
    /** How many times as long as the baseline it took. */
    slower(what: string, ours: Measured, theirs: Measured, goal: Goal): void {
      add(what, ours.seconds / theirs.seconds, goal, against(ours, theirs))
    },
    /** How many times as fast as the baseline it was. */
    faster(what: string, ours: Measured, theirs: Measured, goal: Goal): void {
      add(what, theirs.seconds / ours.seconds, goal, against(ours, theirs))
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

const timeOf = ({ seconds }: Measured): string =>
  seconds < 0.1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`
