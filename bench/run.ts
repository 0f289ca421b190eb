/**
 * `npm run bench`: measures every goal against its baseline in one run on one machine. `--size 100` uses
 * trees of a tenth of the size. `--only store`, `reading`, `search`, `databases`, `redaction`, `answers`,
 * `mcp`, `page`, `devlog` or `collect` runs one part. `--without jq` skips a baseline that takes minutes.
 */
import { parseArgs } from 'node:util'
import { measureAnswers } from './answers.ts'
import { measureCollect } from './collect.ts'
import { measureDatabases } from './databases.ts'
import { measureDevlog } from './devlog.ts'
import { measureTools } from './mcp.ts'
import { measurePage } from './page.ts'
import { measureReading } from './reading.ts'
import { measureRedaction } from './redaction.ts'
import { measureSearch } from './search.ts'
import { prepareTrees } from './setup.ts'
import { measureStore } from './store.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1000' },
    only: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
  },
})
const PARTS = [
  'reading',
  'store',
  'search',
  'databases',
  'redaction',
  'answers',
  'mcp',
  'page',
  'devlog',
  'collect',
]
if (values.only !== undefined && !PARTS.includes(values.only)) throw new Error(`--only ${PARTS.join(', ')}`)

const wanted = (...topics: string[]): boolean => values.only === undefined || topics.includes(values.only)
// Needs none of the trees, which take long to write.
if (wanted('redaction')) await measureRedaction()
if (values.only === 'redaction') process.exit()

const setup = prepareTrees(Number(values.size))
if (wanted('reading')) measureReading(setup, values.without)
if (wanted('store')) measureStore(setup)
if (wanted('store', 'search')) await measureSearch(setup)
if (wanted('databases')) measureDatabases(setup)
if (wanted('collect')) await measureCollect(setup)
if (wanted('answers')) await measureAnswers(setup)
if (wanted('mcp')) await measureTools(setup)
if (wanted('page')) await measurePage(setup)
if (wanted('devlog')) measureDevlog(setup)
