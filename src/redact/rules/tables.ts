import { isAssignedKey, isAssignedPassword, isGivenPassword, isNumericKey } from '../judge.ts'
import type { Rule } from '../rule.ts'
import { linePrefix } from './pattern-parts.ts'

/** Lines and cells of tables, in texts whose line ends may be escaped once or several times. */

export interface Cell {
  start: number
  end: number
}

const lineEnd = /\r?\n|(?:\\{1,16}r)?\\{1,16}n|(?=\\{0,16}"\s{0,4}[,}\]:])/g

/** The start of the line that contains a position. Undefined if it is further back than `reach`. */
function startOfLine(text: string, position: number, reach: number): number | undefined {
  for (let at = position - 1; at >= position - reach; at--) {
    if (at < 0) return 0
    const character = text[at]
    if (character === '\n' || (character === 'n' && text[at - 1] === '\\')) return at + 1
    // A JSON string begins with the header.
    if (character === '"' && /[:[,{(]\s?\\{0,16}$/.test(text.slice(Math.max(0, at - 18), at))) return at + 1
  }
  return undefined
}

/** The line that begins at `start`, and the start of the next one. */
function nextLine(text: string, start: number, longest: number): Cell & { next: number } {
  lineEnd.lastIndex = start
  const match = lineEnd.exec(text.length <= start + longest + 20 ? text : text.slice(0, start + longest + 20))
  if (!match) return { start, end: Math.min(text.length, start + longest), next: text.length }
  const end = match.index
  return match[0] === '' ? { start, end, next: text.length } : { start, end, next: end + match[0].length }
}

const prefix = new RegExp(linePrefix, 'y')
const PREFIX = 200

/** Where the text of a line begins, behind what tools write before it. */
function afterPrefix(text: string, start: number): number {
  prefix.lastIndex = 0
  return start + (prefix.exec(text.slice(start, start + PREFIX))?.[0].length ?? 0)
}

/** Whether a line ends in signs only: between the header of a table and its rows, or around a box. */
const isFrame = (line: string): boolean => frame.test(line)
const frame = /(?:^|[\s+|:│┃┌└├╞┏┗┡╟╠])[-─━═=]{2,}[\s|+:=│┃┐┘┤┬┴┼─━═╪╡┓┛┩╇╈╢╣╬-]*$/

/** The cells of a line, without surrounding spaces and quotes. */
function cellsOf(text: string, start: number, end: number, delimiter: string): Cell[] {
  const cells: Cell[] = []
  let from = start
  for (let at = start; at <= end; at++) {
    if (at < end && text[at] !== delimiter) continue
    cells.push(trimmed(text, from, at))
    from = at + 1
  }
  return cells
}

function trimmed(text: string, from: number, to: number): Cell {
  const [, before = ''] = /^(\s*\\{0,16}["'`]?)/.exec(text.slice(from, to)) ?? []
  const start = from + before.length
  const inner = text.slice(start, to).replace(/\\{0,16}["'`]?\s*$/, '')
  return { start, end: start + inner.length }
}

const secretHeading =
  /^(?:[\w .-]{0,30}[_ .-])?(?:password|passwd|passphrase|passcode|pwd|pw|pass|secret|token|api[_ -]?key|(?:access|secret|private)_?key|apikey|otp|mnemonic|passwort|kennwort|contrase(?:ñ|n)a|senha|has[łl]o|密码)$/i

/** Whether a column of this name holds secrets. */
const isSecretHeading = (name: string): boolean => secretHeading.test(name)

const passwordHeading = /pass|pwd|pw$|kennwort|contrase|senha|has[łl]o|密码/i

/** Judges a value of the column. */
const judgeOfColumn = (heading: string): ((value: string) => boolean) =>
  passwordHeading.test(heading)
    ? (value) => isAssignedPassword(value, 'quoted') && !isHash(value)
    : (value) => isAssignedKey(value, true) || isNumericKey(value)

/** What programs store instead of a password. */
const isHash = (value: string): boolean => /^\$(?:2[abxy]?|argon2\w*|[156y]|scrypt|pbkdf2)\$/.test(value)

/** Passwords that statements of SQL set, and rows whose column holds secrets. */

/** In the quotes of SQL, perhaps within those of a shell, with a doubled quote in it. */
const text = String.raw`(?:'\\{1,8}''|'"'"'|''(?=[^'\s]{4,128}'')|\\{0,16}['"])((?:[^\s"'\\]|(?<=[^\s'"])(?:''|'\\{1,8}''|'"'"')(?=[^\s'";,)])){4,128})(?=\\{0,16}['"])`
const function_ = String.raw`(?:[A-Za-z_]{1,20}\([ ]?)?`

const LONGEST_ROWS = 64 * 1024
const MOST_VALUES = 20_000
/** One value of a row: text in quotes, in which a quote is doubled or escaped, or anything else. */
const oneValue =
  /\s*(?:[NEBX]?(\\{0,16})'((?:[^'\\]|''|\\(?!\1').)*?)\1'|((?:[^,()'"]|\([^()]*\)|"[^"]*")*))\s*/y

/** The values in the rows behind `VALUES`, column by column. */
function rowsOf(input: string, from: number, columns: number): Cell[][] {
  const rows: Cell[][] = []
  const end = Math.min(input.length, from + LONGEST_ROWS)
  let at = from
  for (let count = 0; count < MOST_VALUES; ) {
    const open = /^(?:[\s,]|\\+[nrt]|VALUES)*\(/i.exec(input.slice(at, at + 200))
    if (open === null) break
    at += open[0].length
    const row: Cell[] = []
    for (; count < MOST_VALUES && at < end; count++) {
      oneValue.lastIndex = at
      const match = oneValue.exec(input)
      if (match === null) return rows
      const inner = match[2] ?? match[3] ?? ''
      const start =
        match.index + match[0].indexOf(inner, match[2] === undefined ? 0 : match[0].indexOf("'") + 1)
      row.push({ start, end: start + inner.length })
      at = oneValue.lastIndex
      const sign = input[at++]
      if (sign === ')') break
      if (sign !== ',') return rows
    }
    if (row.length !== columns) break
    rows.push(row)
  }
  return rows
}

function sqlRanges({ groups, input, index, 0: match }: RegExpExecArray): Cell[] {
  const columns = groups!
    .columns!.split(',')
    .map((each) => each.replace(/[\s"'`\\[\]]/g, '').replace(/^.*\./, ''))
  const secrets = columns.flatMap((each, at) => (isSecretHeading(each) ? [at] : []))
  if (secrets.length === 0) return []
  return rowsOf(input, index + match.length, columns.length).flatMap((row) =>
    secrets.flatMap((column) => {
      const cell = row[column]!
      return judgeOfColumn(columns[column]!)(input.slice(cell.start, cell.end)) ? [cell] : []
    }),
  )
}

export const sql: readonly Rule[] = [
  {
    kind: 'password',
    triggers: ['identified '],
    anyCase: true,
    pattern: new RegExp(
      `identified (?!(?:with|via) \\w{1,40}_hash\\b)(?:(?:with|via) [\\w"'\\x60\\\\]{1,60} )?(?:by|as|using)(?: password)? {0,2}\\(?${text}`,
      'iy',
    ),
    judge: isGivenPassword,
  },
  {
    kind: 'password',
    triggers: ['identified by '],
    anyCase: true,
    pattern: /(?<=(?:user|role|grant)[^\r\n;]{1,100})identified by ([A-Za-z0-9_$#!%+-]{6,64})(?=[\s;]|$)/iy,
    judge: (secret) => /\d/.test(secret) && isGivenPassword(secret),
  },
  {
    kind: 'password',
    triggers: ['password '],
    anyCase: true,
    pattern: new RegExp(
      `password {1,2}(?:(?<=(?:user|role)[^\\r\\n;]{1,100})|for [^\\s=;]{1,100}(?: {0,2}= {0,2}| to )|(?<=with[^\\r\\n;]{1,100})= {0,2})N?${function_}${text}`,
      'iy',
    ),
    judge: isGivenPassword,
  },
  {
    kind: 'table-value',
    triggers: ['insert into ', 'replace into ', 'insert ignore into '],
    anyCase: true,
    pattern:
      /(?:insert(?: ignore)?|replace) into (?:[\w."`[\]\\]{1,128})\s{0,4}\((?<columns>[^()]{1,2000})\)(?:\s|\\{1,16}[nrt]){0,20}(?:overriding \w+ value\s{1,4})?values(?=\s|\(|\\)/iy,
    judge: () => true,
    ranges: sqlRanges,
  },
]

const LONGEST_HEADER = 400
const MOST_ROWS = 1000
const DELIMITERS = [',', ';', '\t', '|', '│', '┃']
const columnNames = [
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
  'api-key',
  'access_key',
  'secret_key',
  'private_key',
  'mnemonic',
  'passwort',
  'kennwort',
  'senha',
]
const heading = /^[A-Za-z][\w .()/-]{0,40}$/
/** Headings of columns that say whom a secret belongs to. */
const companion =
  /user|name|mail|login|url|uri|host|account|title|site|service|domain|role|type|server|port|database|app|env|variable|system|device|client|project|owner|key|^id$/i

/** The positions of secrets in the rows below such a heading, in CSV files, Markdown tables and boxes. */
function tableRanges({ input: text, index }: RegExpExecArray): Cell[] {
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

const literal = columnNames.join('|')

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
    triggers: columnNames.map((literal) => ({ literal, behind: { kind: /[,;\t|"'\\\s]/, count: 1 } })),
    anyCase: true,
    pattern: new RegExp(`(?:${literal})(?=\\\\{0,16}["']?[ ]{0,400}(?:[,;\\t|│┃]|\\r?\\n|\\\\))`, 'iy'),
    judge: () => true,
    ranges: tableRanges,
  },
]
