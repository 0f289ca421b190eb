/** Building and updating the store, its size, and the memory this takes. */
import { appendFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hostileTrees } from './hostile-trees.ts'
import { bestInTurn, type Measured, run } from './measure.ts'
import { createReport } from './report.ts'
import { bytesIn, filesOf, homeOf, installed, node, oneFileTree, type Setup } from './setup.ts'

/** The part of the output of `index --json` that is used here. */
export interface IndexAnswer {
  read: number
  readBytes: number
  store: { bytes: number; transcriptBytes: number; messages: number }
}

export const indexAnswerOf = ({ answer }: Measured): IndexAnswer => JSON.parse(answer!) as IndexAnswer

const MEMORY = { most: 250, unit: 'MB' }
const HOSTILE = { most: 300, unit: 'MB' }

export function measureStore(setup: Setup): void {
  const { tree, many, manyFiles, long, longLine, megabytes, scrollback } = setup
  const report = createReport('the store')
  const size = megabytes >= 1000 ? `${megabytes / 1000} GB` : `${megabytes} MB`
  /** Indexes into an empty home directory, which then contains the store of that tree. */
  const indexAnew = (folder: string): Measured => {
    rmSync(homeOf(folder), { recursive: true, force: true })
    const done = scrollback(folder, ['index', '--json'], { keep: true })
    if (indexAnswerOf(done).store.messages === 0) throw new Error(`nothing was indexed of ${folder}`)
    return done
  }

  // Fill the page cache before measuring.
  for (const folder of [tree, many])
    run('sh', ['-c', `find "${folder}" -name '*.jsonl' -print0 | xargs -0 wc -l`])
  const first = firstIndex()
  const { store } = indexAnswerOf(first)
  report.add(
    `store of ${size} against the transcripts`,
    (bytesIn(homeOf(tree)) / store.transcriptBytes) * 100,
    { most: 10, unit: '%' },
    `${store.messages} messages`,
  )
  const firstMany = indexAnew(many)
  nothingNew()
  oneLine()
  report.add(`peak memory of the first index of ${size}`, first.megabytes!, MEMORY, '')
  report.add(`peak memory of the first index of ${manyFiles}`, firstMany.megabytes!, MEMORY, '')
  report.add(`peak memory of the first index of ${longLine}`, indexAnew(long).megabytes!, MEMORY, '')
  for (const { what, tree: hostile } of hostileTrees(setup))
    report.add(`peak memory of the first index of ${what}`, indexAnew(hostile).megabytes!, HOSTILE, '')
  report.print()

  function firstIndex(): Measured {
    const what = `first index of ${size}, full text included, time against \`ccusage\``
    const ccusage = installed('ccusage', '20.0.24')
    if ('missing' in ccusage) {
      report.skip(what, ccusage.missing)
      return indexAnew(tree)
    }
    const theirs = (): Measured => {
      const variables = { CLAUDE_CONFIG_DIR: tree }
      const done = run(ccusage.path, ['claude', 'daily', '--offline'], { keep: true, variables })
      if (!/Total[^\n]*[1-9]/.test(done.answer!)) throw new Error(`ccusage found nothing in ${tree}`)
      return done
    }
    const sides = bestInTurn(5, { ours: () => indexAnew(tree), theirs })
    report.slower(what, sides.ours, sides.theirs, { most: 1.5 })
    return sides.ours
  }

  /** A file that changed within the last seconds is checked once more. Wait for that before measuring. */
  function nothingNew(): void {
    scrollback(many, ['index'])
    const sides = bestInTurn(9, {
      ours: () => scrollback(many, ['index', '--json'], { keep: true }),
      find: () => run('find', [many, '-printf', '%s %T@ %p\\n']),
      start: () => run(node, ['-e', '0']),
    })
    const { read } = indexAnswerOf(sides.ours)
    if (read > 0) throw new Error(`${read} files were read although nothing had changed`)
    const theirs = { seconds: sides.find.seconds + sides.start.seconds }
    report.slower(
      `\`index\` over ${manyFiles} with nothing new, time against \`find -printf\` and \`node -e 0\``,
      ...([sides.ours, theirs, { most: 2 }] as const),
    )
  }

  function oneLine(): void {
    const grown = oneFileTree(setup)
    const [file] = filesOf(grown)
    indexAnew(grown)
    scrollback(grown, ['index'])
    const entry = {
      type: 'user',
      uuid: crypto.randomUUID(),
      sessionId: basename(file!, '.jsonl'),
      message: { role: 'user', content: 'one more line' },
      timestamp: new Date().toISOString(),
    }
    const bytes = bytesIn(join(grown, 'projects'))
    appendFileSync(file!, `${JSON.stringify(entry)}\n`)
    const { read, readBytes } = indexAnswerOf(scrollback(grown, ['index', '--json'], { keep: true }))
    if (read !== 1) throw new Error(`${read} files were read where one had grown`)
    report.add(
      `bytes read after one line was appended to ${Math.round(bytes / 1e6)} MB`,
      ...([readBytes / 1024, { most: 64, unit: 'KiB' }, 'as `index --json` counts them'] as const),
    )
  }
}
