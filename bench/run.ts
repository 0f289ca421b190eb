/**
 * `npm run bench`: measures every goal against its baseline in one run on one machine. Fails if a part ends
 * in an error or measures nothing.
 *
 * - `--size 100`: trees of a tenth of the size; `--quick`: of a hundredth, without repetitions and without
 *   the browser
 * - `--only store`: one part, see `PARTS`; `team` is measured only this way
 * - `--offline`: skips what has to be installed first
 * - `--package scrollback.tgz`: measures a packed package instead of packing the checkout
 * - `--without jq`: skips a baseline that takes minutes
 * - `--hour`: updates a live session for an hour
 * - `--locomo <folder>`: with `--only recall`, also the public set LoCoMo, by the `locomo10.json` of a folder
 * - `--ten-million`: with `--only growth`, also ten million messages, which take 20 minutes and 12 GB
 * - `--fifty-million`: with `--only team`, also fifty million messages, which take 20 to 50 minutes and 20 GB
 */
import { parseArgs } from 'node:util'
import { measureAnswers } from './answers.ts'
import { measureCollect } from './collect.ts'
import { measureDatabases } from './databases.ts'
import { measureDevlog } from './devlog.ts'
import { measureFirst } from './first.ts'
import { measureGrowth } from './growth.ts'
import { measureTools } from './mcp.ts'
import { limitRuns } from './measure.ts'
import { measurePage } from './page.ts'
import { measurePeers } from './peers.ts'
import { measureReading } from './reading.ts'
import { measureRecall } from './recall.ts'
import { measureRedaction } from './redaction.ts'
import { rowsPrinted } from './report.ts'
import { measureSearch } from './search.ts'
import { prepareTrees, type Setup, stayOffline } from './setup.ts'
import { measureStore } from './store.ts'
import { measureTeam } from './team.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    offline: { type: 'boolean', default: false },
    package: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    hour: { type: 'boolean', default: false },
    locomo: { type: 'string' },
    'ten-million': { type: 'boolean', default: false },
    'fifty-million': { type: 'boolean', default: false },
  },
})
const megabytes = Number(values.size ?? (values.quick ? 10 : 1000))

const PARTS: Readonly<Record<string, (setup: Setup) => void | Promise<void>>> = {
  redaction: measureRedaction,
  first: measureFirst,
  reading: (setup) => measureReading(setup, values.without),
  store: measureStore,
  search: measureSearch,
  recall: (setup) => measureRecall(setup, values),
  databases: measureDatabases,
  collect: measureCollect,
  answers: measureAnswers,
  mcp: measureTools,
  page: (setup) => measurePage(setup, values.hour),
  devlog: measureDevlog,
  growth: (setup) => measureGrowth(setup, values['ten-million']),
  peers: measurePeers,
  team: (setup) => measureTeam(setup, values['fifty-million']),
}
const names = Object.keys(PARTS)
if (values.only !== undefined && !names.includes(values.only))
  throw new Error(`--only takes one of ${names.join(', ')}`)

/** Parts that need what is not installed everywhere: ClickHouse, and a browser. */
const APART = values.quick ? ['team', 'page'] : ['team']

const wanted = values.only === undefined ? names.filter((name) => !APART.includes(name)) : [values.only]
if (values.quick) limitRuns(1)
if (values.offline) stayOffline()
const setup = prepareTrees(megabytes, values.package)
for (const name of wanted) await measurePart(name)

/** The other parts run, too, if one fails. */
async function measurePart(name: string): Promise<void> {
  const before = rowsPrinted()
  try {
    await PARTS[name]!(setup)
    if (rowsPrinted() === before) throw new Error('it measured nothing')
  } catch (error) {
    process.stderr.write(`The part \`${name}\` failed: ${(error as Error).stack}\n`)
    process.exitCode = 1
  }
}
