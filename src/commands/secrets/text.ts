import { type Column, counted, homely, table } from '../../render/table.ts'
import { printable, type Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { paint } from '../kit/hit-line.ts'
import type { FoundSecret } from './find.ts'
import { type ShownSecrets, totalsOf } from './totals.ts'

/** How many rows fill a screen. */
const SCREENFUL = 30

const day = (ms: number | undefined): string => (ms === undefined ? '-' : dated(ms).slice(0, 10))

const columns: Column<FoundSecret>[] = [
  { title: 'KIND', value: ({ kind }) => kind, most: 24, paint: 'cyan' },
  { title: 'TAG', value: ({ kind, tag }) => tag.slice(kind.length) },
  { title: 'PLACES', value: ({ at }) => String(at.length), align: 'right' },
  { title: 'SESSIONS', value: ({ sessions }) => String(sessions), align: 'right' },
  { title: 'FIRST', whole: true, value: ({ firstMs }) => day(firstMs) },
  { title: 'LAST', whole: true, value: ({ lastMs }) => day(lastMs) },
]

/** One row per secret. With `--places`, followed by its occurrences, one per line. */
export function* secretPieces(answer: ShownSecrets, screen: Screen): Generator<string> {
  const { limit, listPositions } = answer
  const { secrets, places, kinds, files, lines } = totalsOf(answer)
  const searched = `${counted(lines, 'line')} of ${counted(files, 'file')}`
  if (secrets === 0) {
    yield `Nothing found in ${searched}.\n`
    return
  }
  const most = screen.terminal && !listPositions && limit === Number.POSITIVE_INFINITY ? SCREENFUL : limit
  const rows = answer.secrets.slice(0, most)
  let row = -1
  for (const line of table(rows, columns, screen)) {
    yield line
    if (listPositions && row >= 0)
      for (const { path, line: number } of rows[row]!.at)
        yield `    ${paint('dim', `${printable(homely(path, screen.home))}:${number}`, screen)}\n`
    row++
  }
  const shown = rows.length < secrets ? `; ${rows.length} shown (--limit ${secrets} shows all)` : ''
  yield `\n${counted(secrets, 'secret')} of ${counted(Object.keys(kinds).length, 'kind')} in ${counted(places, 'place')}; ${searched} searched${shown}.\n`
  if (!listPositions)
    yield `Values are never shown. Every file and line: ${screen.suggest.again({ flags: ['--places'] })}\n`
}
