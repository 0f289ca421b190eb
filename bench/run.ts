/**
 * `npm run bench`: every goal against its baseline, in one run on one machine. `--size 100` measures trees of a tenth of
 * the size, `--only store`, `reading`, `search`, `databases`, `redaction`, `answers`, `mcp` or `collect` a part of all, `--without jq` leaves a baseline out that takes minutes.
 */
import { parseArgs } from 'node:util'
import { measureAnswers } from './answers.ts'
import { measureCollect } from './collect.ts'
import { measureDatabases } from './databases.ts'
import { measureTools } from './mcp.ts'
import { preparePlace } from './place.ts'
import { measureReading } from './reading.ts'
import { measureRedaction } from './redaction.ts'
import { measureSearch } from './search.ts'
import { measureStore } from './store.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1000' },
    only: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
  },
})
if (
  values.only !== undefined &&
  !['reading', 'store', 'search', 'databases', 'redaction', 'answers', 'mcp', 'collect'].includes(values.only)
)
  throw new Error('--only reading, store, search, databases, redaction, answers, mcp or collect')

const wanted = (...topics: string[]): boolean => values.only === undefined || topics.includes(values.only)
// It needs nothing of the others, and they take long to be made.
if (wanted('redaction')) await measureRedaction()
if (values.only === 'redaction') process.exit()

const place = preparePlace(Number(values.size))
if (wanted('reading')) measureReading(place, values.without)
if (wanted('store')) measureStore(place)
if (wanted('store', 'search')) await measureSearch(place)
if (wanted('databases')) measureDatabases(place)
if (wanted('collect')) await measureCollect(place)
if (wanted('answers')) await measureAnswers(place)
if (wanted('mcp')) await measureTools(place)
