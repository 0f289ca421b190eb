/** Reading and listing transcripts from files and from the store, start-up time, and memory. */
import { best, bestInTurn, type Measured, median, run } from './measure.ts'
import { createReport } from './report.ts'
import { answers, filesOf, node, type Setup } from './setup.ts'

export function measureReading(setup: Setup, without: readonly string[]): void {
  const { tree, many, manyFiles, long, longLine, megabytes, scrollback, program } = setup
  const report = createReport('reading')
  const size = megabytes >= 1000 ? `${megabytes / 1000} GB` : `${megabytes} MB`
  const wc = (folder: string): Measured =>
    run('sh', ['-c', `find "${folder}" -name '*.jsonl' -print0 | xargs -0 wc -l`])
  // Fill the page cache and the compile cache before measuring.
  wc(tree)
  for (const each of [tree, many, long]) scrollback(each, ['index'])
  const list = ['sessions', '--all', '--limit', '0', '--json']
  // The store contains no secrets, so `--no-redact` reads the transcripts.
  const unstored = [...list, '--no-redact']

  // Files given by path are read directly; anything else comes from the store.
  const files = filesOf(tree)
  const reading = best(4, () => scrollback(tree, ['read', ...files]))
  const fromStore = best(4, () => scrollback(tree, ['read', '--all']))
  const jq = `condensed reading of ${size}, against \`jq\``
  if (!answers('jq')) report.skip(jq, 'there is no jq on this machine')
  else if (!without.includes('jq'))
    report.faster(jq, reading, run('jq', ['-r', '-f', 'bench/condense.jq', ...files]), { least: 12 })
  const loop = best(3, () => run(node, ['bench/loop.js', tree]))
  report.faster(`condensed reading of ${size}, against a \`JSON.parse\` loop`, reading, loop, { least: 3 })
  report.faster(`\`read --all\` of ${size} out of the store, against the same loop`, fromStore, loop, {})
  const listings = bestInTurn(5, {
    wc: () => wc(tree),
    read: () => scrollback(tree, unstored),
    stored: () => scrollback(tree, list),
  })
  const { read, stored } = listings
  report.slower(`\`sessions\` over ${size} without a store, time against \`wc -l\``, read, listings.wc, {
    most: 2,
  })
  report.slower(`\`sessions\` over ${size} out of the store, time against \`wc -l\``, stored, listings.wc, {})
  const listingsMany = bestInTurn(5, {
    wc: () => wc(many),
    read: () => scrollback(many, unstored),
    stored: () => scrollback(many, list),
  })
  for (const how of ['read', 'stored'] as const)
    report.slower(
      `\`sessions\` over ${manyFiles} ${how === 'read' ? 'without a store' : 'out of the store'}, time against \`wc -l\``,
      ...([listingsMany[how], listingsMany.wc, {}] as const),
    )
  report.slower(
    '`scrollback --version`, time against `node -e 0`',
    median(31, () => run(node, [program, '--version'])),
    median(31, () => run(node, ['-e', '0'])),
    { most: 1.3 },
  )
  const memory = [
    [`\`read\` of the files of ${size}`, reading, 200],
    [`\`sessions --all\` over ${size} without a store`, read, 200],
    [`\`sessions --all\` over ${manyFiles} without a store`, listingsMany.read, 200],
    [`\`sessions --all\` with ${longLine} without a store`, scrollback(long, unstored), 400],
    [`\`read\` of a file with ${longLine}`, scrollback(long, ['read', ...filesOf(long)]), 400],
  ] as const
  for (const [what, { megabytes: peak }, goal] of memory)
    report.add(`peak memory of ${what}`, peak!, { most: goal, unit: 'MB' }, '')
  report.print()
}
