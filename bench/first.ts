/** The first answers on a machine without a store, and the first index, over histories of three shapes. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { type HistoryKind, writeHistories } from './histories.ts'
import { bestInTurn, type Measured, run } from './measure.ts'
import { createReport, type Report } from './report.ts'
import { bytesIn, filesOf, homeOf, installed, reusedFolder, type Setup, writeOnce } from './setup.ts'

const MEMORY = { most: 250, unit: 'MB' }
const RUNS = 5

/** The sizes of the whole benchmark: megabytes, and files. */
const SIZES: Readonly<Record<HistoryKind, number>> = { wordy: 343, copied: 343, small: 10_000 }
const LEAST: Readonly<Record<HistoryKind, number>> = { wordy: 4, copied: 15, small: 50 }
const MOST_TIMES: Readonly<Record<HistoryKind, number>> = { wordy: 2, copied: 2, small: 2 }

/** The path of a history, which is written if it is missing. */
export function historyTree(kind: HistoryKind, { scaled }: Pick<Setup, 'scaled'>): string {
  const size = Math.max(LEAST[kind], scaled(SIZES[kind]))
  const tree = reusedFolder(`history-${kind}-${size}`)
  writeOnce(tree, 'histories.ts', () => writeHistories(kind, tree, size))
  return tree
}

export function measureFirst(setup: Setup): void {
  const report = createReport('first answers')
  const ccusage = installed('ccusage', '20.0.24')
  for (const kind of ['wordy', 'copied', 'small'] as const) {
    const tree = historyTree(kind, setup)
    const size = `${kind}, ${Math.round(bytesIn(tree) / 1e6)} MB in ${filesOf(tree).length.toLocaleString('en')} files`
    if ('missing' in ccusage)
      report.skip(`first answers (${size}), time against \`ccusage\``, ccusage.missing)
    measureOne(setup, report, { kind, tree, size, ...('path' in ccusage && { ccusage: ccusage.path }) })
  }
  report.print()
}

interface History {
  kind: HistoryKind
  tree: string
  /** What it is, for the report. */
  size: string
  /** Its path, if it is installed. */
  ccusage?: string
}

function measureOne({ scrollback }: Setup, report: Report, { kind, tree, size, ccusage }: History): void {
  const anew = (args: readonly string[]): Measured => {
    rmSync(homeOf(tree), { recursive: true, force: true })
    return scrollback(tree, args)
  }
  const goals = { sessions: 1, read: 1, stats: 1, index: MOST_TIMES[kind] } as const
  const [file] = filesOf(tree)
  const id = basename(file!, '.jsonl')
  // Fill the page cache before measuring.
  run('sh', ['-c', `find "${tree}" -name '*.jsonl' -print0 | xargs -0 wc -l`])
  const ours = {
    sessions: () => anew(['sessions', '--all']),
    read: () => anew(['read', id]),
    stats: () => anew(['stats']),
    index: () => anew(['index']),
  }
  const daily = (): Measured =>
    run(ccusage!, ['claude', 'daily', '--offline'], { variables: { CLAUDE_CONFIG_DIR: tree } })
  const sides: Record<keyof typeof ours, Measured> & { theirs?: Measured } =
    ccusage === undefined ? bestInTurn(RUNS, ours) : bestInTurn(RUNS, { theirs: daily, ...ours })
  for (const [name, most] of Object.entries(goals)) {
    const what = `first \`${name}\` without a store (${size}), time`
    const own = sides[name as keyof typeof goals]
    if (sides.theirs) report.slower(`${what} against \`ccusage\``, own, sides.theirs, { most })
    else report.add(what, own.seconds, { unit: 's' }, '')
  }
  report.add(`peak memory of that \`index\``, sides.index.megabytes!, MEMORY, '')
  const home = homeOf(tree)
  if (!existsSync(home) || readdirSync(home).length === 0) throw new Error(`nothing was indexed of ${tree}`)
  report.add(`store of it against the transcripts`, (bytesIn(home) / bytesIn(tree)) * 100, { unit: '%' }, '')
}
