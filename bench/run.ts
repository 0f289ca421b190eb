/**
 * `npm run bench`: measures every goal against its baseline in one run on one machine.
 *
 * - `--size 100`: trees of a tenth of the size; `--quick`: of a hundredth, without browser and redaction
 * - `--only first`, `store`, `reading`, `search`, `databases`, `redaction`, `answers`, `mcp`, `page`,
 *   `devlog`, `collect` or `peers`: one part
 * - `--without jq`: skips a baseline that takes minutes
 * - `--hour`: updates a live session for an hour
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { measureAnswers } from './answers.ts'
import { measureCollect } from './collect.ts'
import { measureDatabases } from './databases.ts'
import { measureDevlog } from './devlog.ts'
import { measureFirst } from './first.ts'
import { measureTools } from './mcp.ts'
import { measurePage } from './page.ts'
import { measurePeers } from './peers.ts'
import { measureReading } from './reading.ts'
import { measureRedaction } from './redaction.ts'
import { measureSearch } from './search.ts'
import { prepareTrees } from './setup.ts'
import { measureStore } from './store.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    hour: { type: 'boolean', default: false },
  },
})
const PARTS = [
  'first',
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
  'peers',
]
if (values.only !== undefined && !PARTS.includes(values.only)) throw new Error(`--only ${PARTS.join(', ')}`)

const wanted = (...topics: string[]): boolean =>
  values.only === undefined
    ? !values.quick || !topics.some((topic) => topic === 'page' || topic === 'redaction')
    : topics.includes(values.only)
// Needs none of the trees, which take long to write.
if (values.only === 'redaction') {
  await measureRedaction()
  process.exit()
}
// In a process of its own: a baseline measures its own functions, and fails when others do so, too.
if (wanted('redaction'))
  spawnSync(process.execPath, [import.meta.filename, '--only', 'redaction'], { stdio: 'inherit' })

const setup = prepareTrees(Number(values.size ?? (values.quick ? 10 : 1000)))
if (wanted('first')) measureFirst(setup)
if (wanted('reading')) measureReading(setup, values.without)
if (wanted('store')) measureStore(setup)
if (wanted('store', 'search')) await measureSearch(setup)
if (wanted('databases')) measureDatabases(setup)
if (wanted('collect')) await measureCollect(setup)
if (wanted('answers')) await measureAnswers(setup)
if (wanted('mcp')) await measureTools(setup)
if (wanted('page')) await measurePage(setup, values.hour)
if (wanted('devlog')) measureDevlog(setup)
if (wanted('peers')) await measurePeers(setup)
