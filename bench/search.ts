/** Search: in a running process, from the command line, and against a program that reads the files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WRITTEN_UNTIL } from './conversations.ts'
import { bestInTurn, type Measured, run, runsOf } from './measure.ts'
import { type Million, millionStore } from './million.ts'
import { type Asked, mixedQueries, sentences } from './queries.ts'
import { createReport } from './report.ts'
import { filesOf, homeOf, node, readIntoCache, type Setup } from './setup.ts'
import { openWarm, type Search } from './warm.ts'

const WARM = { most: 10, unit: 'ms' }
const PASSES = 3
const SENTENCES = 60

export async function measureSearch(setup: Setup): Promise<void> {
  const { tree, megabytes, scrollback } = setup
  const report = createReport('searching')
  const size = megabytes >= 1000 ? `${megabytes / 1000} GB` : `${megabytes} MB`
  scrollback(tree, ['index'])
  const million = await millionStore(setup)
  const { messages, bytes, transcriptBytes, seconds, megabytes: peak } = million.made
  const many = messages.toLocaleString('en')
  report.add(
    `peak memory of the first index of ${many} messages`,
    peak,
    { most: 250, unit: 'MB' },
    `${seconds.toFixed(0)} s`,
  )
  report.add(
    `store of ${many} messages against transcripts of words alone`,
    (bytes / transcriptBytes) * 100,
    { unit: '%' },
    '',
  )

  const asked = mixedQueries(1)
  const passes = await askWarm(million, asked)
  /** The fastest time of each query, to exclude disturbances. */
  const quickest = asked.map((_, query) => Math.min(...passes.map((pass) => pass[query]!.shown)))
  const what = `warm search of ${many} messages, ${asked.length} mixed queries`
  const summaryOf = (times: readonly number[]): string =>
    `p50 ${at(times, 0.5).toFixed(1)} ms, most ${Math.max(...times).toFixed(0)} ms`
  const first = passes[0]!.map(({ shown }) => shown)
  report.add(`${what}: p95, asked for the first time`, at(first, 0.95), WARM, summaryOf(first))
  report.add(`${what}: p95, best of ${runsOf(PASSES)} times`, at(quickest, 0.95), WARM, summaryOf(quickest))
  const answered = asked.map((_, query) => Math.min(...passes.map((pass) => pass[query]!.answered)))
  report.add(`the same without laying it out as text`, at(answered, 0.95), WARM, summaryOf(answered))

  const questions = sentences(1, SENTENCES)
  const askedInTurn = await askWarm(million, questions)
  const best = questions.map((_, question) => Math.min(...askedInTurn.map((pass) => pass[question]!.shown)))
  report.add(
    `warm search of ${many} messages, ${SENTENCES} sentences: p95, best of ${PASSES} times`,
    at(best, 0.95),
    { most: 40, unit: 'ms' },
    summaryOf(best),
  )

  const rare = asked.find(({ kind }) => kind === 'a rare word')!.query
  const said = phraseIn(tree)
  const cold = (folder: string, query: string) => () =>
    scrollback(folder, ['search', query], { memory: false })
  const starts = bestInTurn(9, {
    million: cold(million.tree, rare),
    ours: cold(tree, `"${said}"`),
    start: () => run(node, ['-e', '0']),
  })
  report.slower(
    `\`search\` of ${many} messages from the command line, time against \`node -e 0\``,
    starts.million,
    starts.start,
    { most: 2 },
  )
  report.slower(
    `\`search\` of ${size} from the command line, time against \`node -e 0\``,
    starts.ours,
    starts.start,
    { most: 2 },
  )
  await againstRg(said)
  report.print()
  printKinds(asked, quickest, passes[0]!)

  async function againstRg(words: string): Promise<void> {
    const theirs = (): Measured =>
      run('sh', ['-c', 'rg -cF -- "$1" "$2" | cat', 'sh', words, tree], { keep: true })
    try {
      run('rg', ['--version'])
    } catch {
      report.skip(`search of ${size} against \`rg\``, 'there is no rg on this machine')
      return
    }
    const rg = bestInTurn(3, { theirs }).theirs
    if (!rg.answer) throw new Error(`rg does not find ${words} in ${tree}`)
    const program = openWarm(tree, homeOf(tree))
    const times: Search[] = []
    for (let turn = 0; turn < 20; turn++) times.push(await program.search(`"${words}"`))
    program.close()
    if (times[0]!.total === 0) throw new Error(`search does not find ${words} in ${tree}`)
    const warm = { seconds: Math.min(...times.map(({ shown }) => shown)) / 1000 }
    report.faster(`search of ${size} in a warm process, against \`rg\` over the files`, warm, rg, {
      least: 50,
    })
    report.faster(
      `\`search\` of ${size} from the command line, against \`rg\` over the files`,
      starts.ours,
      rg,
      { least: 50 },
    )
  }
}

/** Runs all queries several times, after warming up the process with similar ones. */
async function askWarm({ tree, home }: Million, asked: readonly Asked[]): Promise<Search[][]> {
  const program = openWarm(tree, home, WRITTEN_UNTIL)
  for (const { query } of mixedQueries(2)) await program.search(query)
  const passes: Search[][] = []
  for (let pass = 0; pass < runsOf(PASSES); pass++) {
    const found: Search[] = []
    readIntoCache(join(home, 'store.sqlite'))
    for (const { query } of asked) found.push(await program.search(query))
    passes.push(found)
  }
  program.close()
  return passes
}

/** Three adjacent words of a prompt in the middle of a tree. */
function phraseIn(tree: string): string {
  const files = filesOf(tree)
  const [line] = readFileSync(files[Math.floor(files.length / 2)]!, 'utf8').split('\n', 1)
  const { message } = JSON.parse(line!) as { message: { content: string } }
  const [said] = /(?<= )[a-z]+ [a-z]+ [a-z]+(?= )/.exec(message.content) ?? []
  if (!said) throw new Error('no three words in a row were said first')
  return said
}

const at = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.ceil(times.length * share) - 1]!

function printKinds(asked: readonly Asked[], times: readonly number[], answers: readonly Search[]): void {
  const lines = [...new Set(asked.map(({ kind }) => kind))].map((kind) => {
    const rows = asked.flatMap((each, index) =>
      each.kind === kind ? [{ ...each, ms: times[index]!, total: answers[index]!.total }] : [],
    )
    const all = rows.map(({ ms }) => ms)
    const slowest = rows.reduce((most, each) => (each.ms > most.ms ? each : most))
    const figures = [at(all, 0.5), at(all, 0.95), Math.max(...all)].map((ms) => ms.toFixed(1))
    return `| ${kind} | ${rows.length} | ${figures.join(' | ')} | ${slowest.query.replaceAll('|', '\\|')} (${slowest.total}) |`
  })
  process.stdout.write(
    `\n| warm queries, ms | how many | p50 | p95 | max | the slowest (and its matches) |\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`,
  )
}
