import { printable } from '../condense/printable.ts'
import { dated } from '../condense/render-text.ts'
import type { Screen } from './command.ts'
import { paint } from './search-line.ts'
import type { FoundSecret } from './secrets-find.ts'
import { type ShownSecrets, totalsOf } from './secrets-totals.ts'
import { type Column, counted, homely, table } from './table.ts'

/** Rows that fill a screen without scrolling far. */
const SCREENFUL = 30

const day = (ms: number | undefined): string => (ms === undefined ? '-' : dated(ms).slice(0, 10))

const columns: Column<FoundSecret>[] = [
  { title: 'KIND', value: ({ kind }) => kind, most: 24, paint: 'cyan' },
  { title: 'TAG', value: ({ kind, tag }) => tag.slice(kind.length) },
  { title: 'PLACES', value: ({ at }) => String(at.length), align: 'right' },
  { title: 'SESSIONS', value: ({ sessions }) => String(sessions), align: 'right' },
  { title: 'FIRST', value: ({ firstMs }) => day(firstMs) },
  { title: 'LAST', value: ({ lastMs }) => day(lastMs) },
]

/** A row for each secret, and of its places each on a line of its own where they are wanted. */
export function* secretPieces(answer: ShownSecrets, screen: Screen): Generator<string> {
  const { limit, withPlaces } = answer
  const { secrets, places, kinds, files, lines } = totalsOf(answer)
  const searched = `${counted(lines, 'line')} of ${counted(files, 'file')}`
  if (secrets === 0) {
    yield `Nothing found in ${searched}.\n`
    return
  }
  const most = screen.terminal && !withPlaces && limit === Number.POSITIVE_INFINITY ? SCREENFUL : limit
  const rows = answer.secrets.slice(0, most)
  let row = -1
  for (const line of table(rows, columns, screen)) {
    yield line
    if (withPlaces && row >= 0)
      for (const { path, line: number } of rows[row]!.at)
        yield `    ${paint('dim', `${printable(homely(path, screen.home))}:${number}`, screen)}\n`
    row++
  }
  const shown = rows.length < secrets ? `; ${rows.length} shown (--limit ${secrets} shows all)` : ''
  yield `\n${counted(secrets, 'secret')} of ${counted(Object.keys(kinds).length, 'kind')} in ${counted(places, 'place')}; ${searched} searched${shown}.\n`
  if (!withPlaces)
    yield `Values are never shown. Every file and line: ${screen.suggest('secrets', '--places')}\n`
}
