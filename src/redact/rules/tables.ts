import { isAssignedKey } from '../judge.ts'
import { isAssignedPassword } from '../password-judge.ts'
import type { Rule } from '../rule.ts'
import { type Cell, cellsOf, nextLine, startOfLine } from './table-lines.ts'

const LONGEST_HEADER = 400
const MOST_ROWS = 1000
const DELIMITERS = [',', ';', '\t', '|']
const names = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'api_key',
  'apikey',
  'api key',
  'access_key',
]
const heading = /^[A-Za-z][\w .()/-]{0,40}$/
/** Headings of columns that say whom a secret belongs to. */
const companion =
  /user|name|mail|login|url|uri|host|account|title|site|service|domain|role|type|server|port|database|app|env|variable|system|device|client|project/i
const secretHeading =
  /^(?:[\w .-]{0,30}[_ .-])?(?:password|passwd|passphrase|pwd|secret|token|api[_ ]?key|access_key)$/i

/** The positions of secrets in the rows below such a heading, in CSV files and Markdown tables. */
function ranges(match: RegExpExecArray): { start: number; end: number }[] {
  const { input: text, index } = match
  const start = startOfLine(text, index, LONGEST_HEADER)
  if (start === undefined) return []
  const header = nextLine(text, start, LONGEST_HEADER)
  const delimiter = DELIMITERS.find((each) => text.slice(start, header.end).includes(each))
  if (delimiter === undefined) return []
  const headings = cellsOf(text, start, header.end, delimiter)
  const column = headings.findIndex((cell) => cell.start <= index && index < cell.end)
  const inside = (cell: Cell): string => text.slice(cell.start, cell.end)
  if (column < 0 || headings.length < 2 || !secretHeading.test(inside(headings[column]!))) return []
  const named = headings.filter((cell) => delimiter !== '|' || inside(cell) !== '')
  if (!named.every((cell) => heading.test(inside(cell)))) return []
  if (!named.some((cell) => companion.test(inside(cell)))) return []
  const isPassword = /pass|pwd/i.test(inside(headings[column]!))
  const found: { start: number; end: number }[] = []
  let from = header.next
  for (let row = 0; row < MOST_ROWS && from < text.length; row++) {
    const line = nextLine(text, from, 4 * LONGEST_HEADER)
    from = line.next
    const cells = cellsOf(text, line.start, line.end, delimiter)
    if (cells.length !== headings.length) break
    const cell = cells[column]!
    const value = inside(cell)
    if (secretHeading.test(value)) break
    if (/\s/.test(value)) continue
    if (isPassword ? isAssignedPassword(value, 'quoted') : isAssignedKey(value, true)) found.push(cell)
  }
  return found
}

export const tables: readonly Rule[] = [
  {
    kind: 'table-value',
    triggers: names.map((literal) => ({ literal, behind: { kind: /[,;\t|"'\\\s]/, count: 1 } })),
    anyCase: true,
    pattern:
      /(?:password|passwd|passphrase|pwd|secret|token|api[_ ]?key|access_key)(?=\\{0,16}["']?[ ]{0,20}(?:[,;\t|]|\r?\n|\\))/iy,
    judge: () => true,
    ranges,
  },
]
