/** The first answers on a machine without a store, and the first index, over histories of three shapes. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type HistoryKind, writeHistories } from './histories.ts'
import { bestInTurn, type Measured, run } from './measure.ts'
import { createReport, type Report } from './report.ts'
import { bytesIn, filesOf, homeOf, installed, reusedFolder, type Setup, writeOnce } from './setup.ts'

const MEMORY = { most: 220, unit: 'MB' }
const SHARE = { most: 30, unit: '%' }
const RUNS = 5
/** Processor time of the first answers, as a multiple of that of the loop. */
const MOST = { sessions: 3, stats: 3, search: 4, index: 4 }
/** Of three commands, one after the other, as a multiple of one `index`: nothing is read twice. */
const THREE = 1.15

/** The sizes of the whole benchmark: megabytes, and files. */
const SIZES: Readonly<Record<HistoryKind, number>> = { wordy: 343, copied: 343, small: 10_000 }
const LEAST: Readonly<Record<HistoryKind, number>> = { wordy: 4, copied: 15, small: 50 }
const MOST_TIMES: Readonly<Record<HistoryKind, number>> = { wordy: 4.5, copied: 4.5, small: 4.5 }

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
    return scrollback(tree, args, { processor: true })
  }
  const [file] = filesOf(tree)
  const words = wordsOf(file!)
  // Fill the page cache before measuring.
  run('sh', ['-c', `find "${tree}" -name '*.jsonl' -print0 | xargs -0 wc -l`])
  const ours = {
    sessions: () => anew(['sessions', '--all']),
    stats: () => anew(['stats']),
    search: () => anew(['search', ...words]),
    index: () => anew(['index']),
    three: () => {
      const parts = [
        anew(['search', ...words]),
        ...[['sessions', '--all'], ['stats']].map((args) => scrollback(tree, args, { processor: true })),
      ]
      const sum = (of: (one: Measured) => number): number => parts.reduce((all, one) => all + of(one), 0)
      return { seconds: sum(({ seconds }) => seconds), processor: sum(({ processor }) => processor!) }
    },
  }
  const loop = (): Measured => run(process.execPath, ['bench/loop.js', tree], { processor: true })
  const daily = (): Measured =>
    run(ccusage!, ['claude', 'daily', '--offline'], { variables: { CLAUDE_CONFIG_DIR: tree } })
  const sides: Record<keyof typeof ours | 'loop', Measured> & { theirs?: Measured } =
    ccusage === undefined
      ? bestInTurn(RUNS, { loop, ...ours })
      : bestInTurn(RUNS, { loop, theirs: daily, ...ours })
  for (const [name, most] of Object.entries(MOST) as [keyof typeof MOST, number][])
    report.costlier(
      `first \`${name}\` without a store (${size}), against the \`JSON.parse\` loop`,
      sides[name],
      sides.loop,
      { most },
    )
  report.costlier(
    '`search`, `sessions` and `stats` after one another, against one `index`',
    sides.three,
    sides.index,
    { most: THREE },
  )
  if (sides.theirs)
    report.slower('time of that `index` against `ccusage`', sides.index, sides.theirs, {
      most: MOST_TIMES[kind],
    })
  report.add('peak memory of it', sides.index.megabytes!, MEMORY, '')
  const home = homeOf(tree)
  if (!existsSync(home) || readdirSync(home).length === 0) throw new Error(`nothing was indexed of ${tree}`)
  const share = (bytesIn(home) / bytesIn(tree)) * 100
  report.add('store of it against the transcripts', share, kind === 'wordy' ? SHARE : { unit: '%' }, '')
}

/** Two words of the first prompt of a transcript. */
function wordsOf(file: string): string[] {
  const [, prompt] = /"content":"([^"\\]{20,})/.exec(readFileSync(file, 'utf8'))!
  return prompt!.match(/[a-z]{4,}/g)!.slice(0, 2)
}
