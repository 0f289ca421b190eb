/**
 * Measures how well search finds what people type: `npm run test:judged`. With SCROLLBACK_CLICKHOUSE, in a team
 * store on that server, whose databases of this name are emptied.
 */
import { testDatabases } from '../clickhouse/databases.ts'
import { judgeCorpus, judgeDemo, scoreOf, type Verdict } from './judge.ts'
import { inMemory, inTeamStore } from './targets.ts'

const databases = testDatabases()
const target = databases ? inTeamStore(databases) : inMemory

function report(name: string, verdicts: readonly Verdict[]): void {
  const { queries, first, firstFive } = scoreOf(verdicts)
  process.stdout.write(`${name}: hit@1 ${first} of ${queries}, hit@5 ${firstFive} of ${queries}\n`)
  for (const { query, rank } of verdicts)
    if (rank !== 1) process.stdout.write(`  ${rank === undefined ? 'not found' : `rank ${rank}`}: ${query}\n`)
}

const demo = await judgeDemo(target)
report('demo', demo)
const corpus = await judgeCorpus(target)
if (corpus) {
  report('corpus', corpus)
  report('together', [...demo, ...corpus])
} else process.stdout.write('corpus: skipped, for SCROLLBACK_CORPUS names no folder\n')
