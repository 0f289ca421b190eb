import type { Rule } from '../rule.ts'
import {
  afterPrefix,
  type Cell,
  cellsOf,
  isFrame,
  isSecretHeading,
  judgeOfColumn,
  nextLine,
  startOfLine,
} from './table-lines.ts'

const LONGEST_HEADER = 400
const MOST_ROWS = 1000
const DELIMITERS = [',', ';', '\t', '|', '│', '┃']
const names = [
  ...[
    'password',
    'passwd',
    'passphrase',
    'passcode',
    'pwd',
    'secret',
    'token',
    'api_key',
    'apikey',
    'api key',
  ],
  ...['api-key', 'access_key', 'secret_key', 'private_key', 'mnemonic', 'passwort', 'kennwort', 'senha'],
]
const heading = /^[A-Za-z][\w .()/-]{0,40}$/
/** Headings of columns that say whom a secret belongs to. */
const companion =
  /user|name|mail|login|url|uri|host|account|title|site|service|domain|role|type|server|port|database|app|env|variable|system|device|client|project|owner|key|^id$/i

/** The positions of secrets in the rows below such a heading, in CSV files, Markdown tables and boxes. */
function ranges({ input: text, index }: RegExpExecArray): Cell[] {
  const start = startOfLine(text, index, LONGEST_HEADER)
  if (start === undefined) return []
  const header = nextLine(text, start, LONGEST_HEADER)
  const delimiterIn = (from: number): string | undefined =>
    DELIMITERS.find((each) => text.slice(from, header.end).includes(each))
  if (delimiterIn(start) === undefined) return rowsOfOneColumn(text, start, header)
  const begins = Math.min(afterPrefix(text, start), index)
  const delimiter = delimiterIn(begins) ?? delimiterIn(start)!
  // What precedes a line precedes all of them, so that it makes the same number of cells.
  const headings = cellsOf(text, start, header.end, delimiter)
  const column = headings.findIndex((cell) => cell.start <= index && index < cell.end)
  if (column < 0 || headings.length < 2) return []
  const inside = ({ start, end }: Cell, from = 0): string => text.slice(Math.max(start, from), end)
  const title = inside(headings[column]!, begins)
  if (!isSecretHeading(title)) return []
  const isBox = '|│┃'.includes(delimiter)
  const named = headings
    .filter(({ end }) => end >= begins)
    .map((cell) => inside(cell, begins))
    .filter((each) => !isBox || each !== '')
  if (!named.every((each) => heading.test(each))) return []
  const isLineOfBox = ({ start, end }: Cell): boolean => isBox && isFrame(text.slice(start, end))
  const isFramed = header.next < text.length && isLineOfBox(nextLine(text, header.next, LONGEST_HEADER))
  if (!isFramed && !named.some((each) => companion.test(each))) return []
  const isSecret = judgeOfColumn(title)
  const found: Cell[] = []
  let from = header.next
  for (let row = 0; row < MOST_ROWS && from < text.length; row++) {
    const line = nextLine(text, from, 4 * LONGEST_HEADER)
    from = line.next
    if (isLineOfBox(line)) continue
    const cells = cellsOf(text, line.start, line.end, delimiter)
    if (cells.length !== headings.length) break
    const { start, end } = cells[column]!
    const cell =
      column > 0
        ? { start, end }
        : { start: Math.max(start, Math.min(afterPrefix(text, line.start), end)), end }
    const value = inside(cell)
    if (isSecretHeading(value)) break
    if (!/\s/.test(value) && isSecret(value)) found.push(cell)
  }
  return found
}

const literal = names.join('|')

/** A table of `psql` with one column: a heading, a line of dashes, and a value on each line. */
function rowsOfOneColumn(text: string, start: number, header: Cell & { next: number }): Cell[] {
  const title = text.slice(start, header.end).trim()
  const line = nextLine(text, header.next, LONGEST_HEADER)
  if (!isSecretHeading(title) || !/^\s*-{4,}\s*$/.test(text.slice(line.start, line.end))) return []
  const found: Cell[] = []
  for (let from = line.next; found.length < MOST_ROWS && from < text.length; ) {
    const row = nextLine(text, from, LONGEST_HEADER)
    const [cell] = cellsOf(text, row.start, row.end, '\n')
    if (!judgeOfColumn(title)(text.slice(cell!.start, cell!.end))) break
    found.push(cell!)
    from = row.next
  }
  return found
}

export const tables: readonly Rule[] = [
  {
    kind: 'table-value',
    triggers: names.map((literal) => ({ literal, behind: { kind: /[,;\t|"'\\\s]/, count: 1 } })),
    anyCase: true,
    pattern: new RegExp(`(?:${literal})(?=\\\\{0,16}["']?[ ]{0,400}(?:[,;\\t|│┃]|\\r?\\n|\\\\))`, 'iy'),
    judge: () => true,
    ranges,
  },
]
