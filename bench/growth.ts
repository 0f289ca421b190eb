/** How time, memory and space grow with the number of files and of messages. */
import { appendFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { measureLongSession } from './long-session.ts'
import { bestInTurn, type Measured, run } from './measure.ts'
import { millionStore } from './million.ts'
import { mixedQueries } from './queries.ts'
import { createReport, type Report } from './report.ts'
import { bytesIn, filesOf, generateOnce, homeOf, node, reusedFolder, type Setup } from './setup.ts'
import { indexAnswerOf } from './store.ts'
import { openWarm } from './warm.ts'

const FILES = [1000, 10_000, 100_000]
const MESSAGES = [10_000, 100_000, 1_000_000]
const TEN_MILLION = 10_000_000
/** Files of a tree for each of its megabytes. */
const FILES_A_MEGABYTE = 100
const MILLION = 1_000_000
const REFRESH = { most: 1.5 }
const RUNS = 5

type Figures = Record<string, number>

/** Figures in seconds and bytes. `tenMillion` adds a size that takes 20 minutes and 12 GB. */
export async function measureGrowth(setup: Setup, tenMillion: boolean): Promise<void> {
  const report = createReport('growth')
  const byFiles: { size: number; figures: Figures }[] = []
  for (const size of sizesOf(FILES, 20)) {
    byFiles.push({ size, figures: ofFiles(setup, report, size) })
  }
  addGrowth(report, 'files', byFiles)
  const byMessages: { size: number; figures: Figures }[] = []
  for (const size of sizesOf(tenMillion ? [...MESSAGES, TEN_MILLION] : MESSAGES, 1000)) {
    byMessages.push({ size, figures: await ofMessages(setup, report, size) })
  }
  addGrowth(report, 'messages', byMessages)
  measureLongSession(setup, report)
  report.print()

  /** Each size once: small ones may be the same when they are scaled down. */
  function sizesOf(wholes: readonly number[], least: number): Set<number> {
    return new Set(wholes.map((whole) => Math.max(least, setup.scaled(whole))))
  }
}

function ofFiles(setup: Setup, report: Report, files: number): Figures {
  // A tree of its own, because it is written to.
  const tree = reusedFolder(`growth-${files}-files`)
  generateOnce(tree, files / FILES_A_MEGABYTE, files)
  const name = `${files.toLocaleString('en')} files`
  rmSync(homeOf(tree), { recursive: true, force: true })
  const index = (): Measured => setup.scrollback(tree, ['index', '--json'], { keep: true, processor: true })
  // Fill the page cache before measuring.
  run('sh', ['-c', `find "${tree}" -name '*.jsonl' -print0 | xargs -0 wc -l`])
  const first = index()
  // A file that changed within the last seconds is checked once more.
  index()
  const sides = bestInTurn(RUNS, {
    same: index,
    find: () => run('find', [tree, '-printf', '%s %T@ %p\\n']),
    start: () => run(node, ['-e', '0']),
  })
  const { read } = indexAnswerOf(sides.same)
  if (read > 0) throw new Error(`${read} files were read although nothing had changed`)
  const theirs = { seconds: sides.find.seconds + sides.start.seconds }
  const refresh = `\`index\` over ${name} with nothing new`
  report.slower(`${refresh}, time against \`find -printf\` and \`node -e 0\``, sides.same, theirs, REFRESH)
  const path = filesOf(tree)[0]!
  const { size } = statSync(path)
  const line = after(() => appendFileSync(path, lineOf(basename(path, '.jsonl'), 1)))
  const added = join(dirname(path), 'added.jsonl')
  const file = after(() => writeFileSync(added, lineOf('added', 2)))
  const stats = bestInTurn(RUNS, {
    stats: () => setup.scrollback(tree, ['stats'], { processor: true }),
  }).stats
  const store = bytesIn(homeOf(tree))
  const megabytes = first.megabytes!
  rmSync(added)
  truncateSync(path, size)
  report.add(`first index of ${name}`, first.processor!, { unit: 's' }, 'processor time')
  report.add(`peak memory of the first index of ${name}`, megabytes, { most: 250, unit: 'MB' }, '')
  report.add(`store of ${name}`, (store / bytesIn(join(tree, 'projects'))) * 100, { unit: '%' }, '')
  return {
    'first index': first.processor!,
    'nothing new': sides.same.processor!,
    'one line more': line.processor!,
    'one new file': file.processor!,
    '`stats`': stats.processor!,
    'peak memory': megabytes,
    store,
  }

  /** The index after a change of one file. */
  function after(change: () => void): Measured {
    change()
    const done = index()
    if (indexAnswerOf(done).read !== 1)
      throw new Error(`${indexAnswerOf(done).read} files were read instead of one`)
    return done
  }
}

async function ofMessages(setup: Setup, report: Report, messages: number): Promise<Figures> {
  // `millionStore` takes the size of the whole benchmark.
  const { tree, home, made } = await millionStore({ ...setup, megabytes: (messages / MILLION) * 1000 })
  const name = `${messages.toLocaleString('en')} messages`
  const program = openWarm(tree, home)
  const times: number[] = []
  for (const { query } of mixedQueries(1)) {
    const before = process.cpuUsage()
    await program.search(query)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1e6)
  }
  program.close()
  const sides = bestInTurn(RUNS, {
    same: () => setup.scrollback(tree, ['index'], { home, processor: true }),
    stats: () => setup.scrollback(tree, ['stats'], { home, processor: true }),
  })
  const [p50, p95] = [at(times, 0.5), at(times, 0.95)]
  report.add(
    `warm search of ${name}, processor time: p95`,
    p95 * 1000,
    { unit: 'ms' },
    `p50 ${(p50 * 1000).toFixed(1)} ms`,
  )
  return {
    'nothing new': sides.same.processor!,
    'search p50': p50,
    'search p95': p95,
    '`stats`': sides.stats.processor!,
    'peak memory of the first index': made.megabytes,
    store: made.bytes,
  }
}

/** Each figure of a size against that of the size before. The goal: no more than the size itself grew. */
function addGrowth(report: Report, what: string, steps: readonly { size: number; figures: Figures }[]): void {
  for (const [index, { size, figures }] of steps.entries()) {
    const before = steps[index - 1]
    if (!before) continue
    const most = size / before.size
    for (const [name, value] of Object.entries(figures))
      report.add(
        `${name}: ${size.toLocaleString('en')} ${what} against ${before.size.toLocaleString('en')}`,
        value / before.figures[name]!,
        { most },
        'processor time, or bytes',
      )
  }
}

const at = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.ceil(times.length * share) - 1]!

const lineOf = (sessionId: string, number: number): string =>
  `${JSON.stringify({
    type: 'user',
    uuid: crypto.randomUUID(),
    sessionId,
    cwd: '/home/dev/code/project-00',
    message: { role: 'user', content: `one more line ${number}` },
    timestamp: new Date().toISOString(),
  })}\n`
