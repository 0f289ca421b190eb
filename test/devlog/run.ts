/**
 * Prints precision and recall of the rules for dynamics. `--misses` lists the errors in the half for writing
 * rules.
 */
import { type Figures, measure, measureJudged } from './labelled.ts'

const percent = (value: number): string => `${(value * 100).toFixed(0)} %`.padStart(6)

for (const half of ['dev', 'held-out', 'all'] as const) {
  const { figures } = measure(half)
  const sum = (field: 'labelled' | 'found' | 'right'): number =>
    figures.reduce((total, each: Figures) => total + each[field], 0)
  process.stdout.write(`${half}: ${sum('labelled')} labelled spans\n`)
  process.stdout.write('  kind          labelled  found  right  precision  recall\n')
  for (const { kind, labelled, found, right, precision, recall } of figures)
    process.stdout.write(
      `  ${kind.padEnd(12)}  ${String(labelled).padStart(8)}  ${String(found).padStart(5)}  ${String(right).padStart(5)}  ${percent(precision).padStart(9)}  ${percent(recall)}\n`,
    )
  process.stdout.write(
    `  ${'all'.padEnd(12)}  ${String(sum('labelled')).padStart(8)}  ${String(sum('found')).padStart(5)}  ${String(sum('right')).padStart(5)}  ${percent(sum('right') / sum('found')).padStart(9)}  ${percent(sum('right') / sum('labelled'))}\n`,
  )
}
if (process.env.SCROLLBACK_CORPUS) {
  process.stdout.write('judged by hand in real transcripts\n')
  for (const [kind, { found, right }] of measureJudged(process.env.SCROLLBACK_CORPUS))
    process.stdout.write(
      `  ${kind.padEnd(12)}  ${String(found).padStart(8)}  ${String(right).padStart(5)}  ${percent(right / found)}\n`,
    )
}
if (process.argv.includes('--misses'))
  for (const { file, kind, why, text } of measure('dev').misses)
    process.stdout.write(`${why.padEnd(6)}  ${kind.padEnd(12)}  ${file}  ${text}\n`)
