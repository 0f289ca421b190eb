import { isAssignedKey, isAssignedPassword, isGivenPassword, isNumericKey } from '../judge.ts'
import { combinations, type Rule, type Trigger } from '../rule.ts'
import {
  afterPrefix,
  barredCellsOf,
  type Cell,
  cellsOf,
  isFrame,
  nextLine,
  nextQuotedLine,
  quotedCellsOf,
  startOfLine,
  startOfQuotedLine,
} from './table-lines.ts'

/** What a column of secrets is called. Words behind others need a space or a sign before them. */
const secretHeading = new RegExp(
  `^(?:${[
    String.raw`[\p{L}\p{N} _.-]{0,30}(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|mot de passe|contrase(?:ñ|n)a|senha|has[łl]o|密码|密碼|口令|пароль|パスワード)`,
    String.raw`(?:[\p{L}\p{N} _.-]{0,30}[_ .-])?(?:pwd|pw|pass|secret|token|api[_ -]?key|(?:access|secret|private)[_ -]?key|apikey|otp|mnemonic)`,
    '(?:access|admin|api|app|auth|bot|client|refresh|session)(?:token|secret)',
  ].join('|')})$`,
  'iu',
)

/** Whether a column of this name holds secrets. */
const isSecretHeading = (name: string): boolean => secretHeading.test(name)

const passwordHeading =
  /pass|pwd|pw$|kennwort|wachtwoord|contrase|senha|has[łl]o|密[码碼]|口令|пароль|パスワード/i

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
  'access key',
  'secret key',
  'private key',
  'mnemonic',
  'passwort',
  'kennwort',
  'senha',
  'wachtwoord',
  'mot de passe',
  'contraseña',
  'contrasena',
  'hasło',
  '密码',
  '密碼',
  '口令',
  'пароль',
  'パスワード',
]
const heading = /^\p{L}[\p{L}\p{N}_ .()/'’-]{0,40}$/u
/** What emphasizes a heading, or stands next to it. */
const aroundHeading =
  /^(?:[*_`\s]|\p{Extended_Pictographic}|\p{M}|\u200d)+|(?: ?\([^()]{0,24}\))?[*_`?:\s]{0,4}$/gu
const titleOf = (cell: string): string => cell.replace(aroundHeading, '')
/** Headings of columns that say whom a secret belongs to. */
const companion =
  /user|name|mail|login|url|uri|host|account|title|site|service|domain|role|type|server|port|database|app|env|variable|system|device|client|project|owner|key|^id$/i

/** Headings next to that of a password that has no other name than `pass`, which tests do as well. */
const account = /user|name|mail|login|host|account|server|site|url|database|benutzer|usuario|utilisateur/i
const ofTests = /fail|skip|total|test|suite|check/i

/** How the lines and cells of a table are told apart. */
interface Reading {
  start: number | undefined
  lineFrom(start: number, longest: number): Cell & { next: number }
  cells(start: number, end: number, delimiter: string): Cell[]
}

/** The positions of secrets in the rows below such a heading, in CSV files, Markdown tables and boxes. */
function tableRanges({ 0: match, input: text, index }: RegExpExecArray): Cell[] {
  const start = startOfLine(text, index, LONGEST_HEADER)
  const found = rangesBelow(text, index, {
    start,
    lineFrom: (start, longest) => nextLine(text, start, longest),
    cells: (start, end, delimiter) => cellsOf(text, start, end, delimiter),
  })
  if (found !== undefined && found.length > 0) return found
  const end = index + match.length
  if (start === undefined) return []
  const mayBeQuoted =
    found === undefined
      ? text[start - 1] === '"' || isInQuotes.test(text.slice(end, end + HEADING_END))
      : text.slice(end, end + LONGEST_HEADER).includes('"')
  if (!mayBeQuoted) return []
  // Between quotes, a quote next to a comma is not the end of a string that contains the table.
  const depth = depthOfQuotes(text, start)
  const startOfQuoted = startOfQuotedLine(text, index, LONGEST_HEADER, depth)
  const begins = (start: number): number => afterPrefix(text, start)
  const isPrefixed = startOfQuoted !== undefined && begins(startOfQuoted) > startOfQuoted
  const quoted = rangesBelow(text, index, {
    start: startOfQuoted,
    lineFrom: (start, longest) => nextQuotedLine(text, start, longest, depth),
    cells: (start, end, delimiter) => quotedCellsOf(text, isPrefixed ? begins(start) : start, end, delimiter),
  })
  return quoted ?? []
}

/** A quote is behind the heading. */
const isInQuotes = /^[^,;\t|"\r\n]{0,48}"/
const HEADING_END = 50

/**
 * How often the quotes of cells are escaped at least. A quote behind a comma is one of them; any other before
 * a header belongs to the string that contains the table.
 */
function depthOfQuotes(text: string, start: number): number {
  const sign = text[start - 1]
  if (sign !== 'n' && sign !== '"') return 0
  const [around = ''] = /,?[ \t]?\\{0,16}$/.exec(text.slice(Math.max(0, start - 19), start - 1)) ?? []
  const backslashes = around.replace(/[^\\]/g, '').length
  return sign === '"' && !around.startsWith(',') ? backslashes + 1 : backslashes
}

/** Undefined if there is no header. */
function rangesBelow(text: string, index: number, { start, lineFrom, cells }: Reading): Cell[] | undefined {
  if (start === undefined) return undefined
  const header = lineFrom(start, LONGEST_HEADER)
  const delimiterIn = (from: number): string | undefined =>
    DELIMITERS.find((each) => text.slice(from, header.end).includes(each))
  if (header.next >= text.length) return undefined
  if (delimiterIn(start) === undefined) return rowsOfOneColumn(text, start, header)
  const next = lineFrom(header.next, LONGEST_HEADER)
  const below = text.slice(next.start, next.end)
  // Most sentences end here, before anything that takes longer.
  if (!DELIMITERS.some((each) => below.includes(each)) && !isFrame(below)) return undefined
  const begins = Math.min(afterPrefix(text, start), index)
  const delimiter = delimiterIn(begins) ?? delimiterIn(start)!
  // What precedes a line precedes all of them, so that it makes the same number of cells.
  const headings = cells(start, header.end, delimiter)
  const column = headings.findIndex((cell) => cell.start <= index && index < cell.end)
  if (column < 0 || headings.length < 2) return undefined
  const inside = ({ start, end }: Cell, from = 0): string => text.slice(Math.max(start, from), end)
  const title = titleOf(inside(headings[column]!, begins))
  if (!isSecretHeading(title)) return undefined
  const isBox = '|│┃'.includes(delimiter)
  const named = headings
    .filter(({ end }) => end >= begins)
    .map((cell) => titleOf(inside(cell, begins)))
    .filter((each) => !isBox || each !== '')
  if (!named.every((each) => heading.test(each))) return undefined
  const isLineOfBox = ({ start, end }: Cell): boolean => isBox && isFrame(text.slice(start, end))
  const isFramed = isLineOfBox(next)
  // A program's name before a bar has the same form as a heading.
  const every = headings.map((cell) => titleOf(inside(cell)))
  if (!isFramed && !every.some((each) => companion.test(each))) return undefined
  const isOfTests = every.some((each) => ofTests.test(each)) || !every.some((each) => account.test(each))
  if (/pass$/i.test(title) && isOfTests) return undefined
  const isSecret = judgeOfColumn(title)
  const found: Cell[] = []
  let from = header.next
  for (let row = 0; row < MOST_ROWS && from < text.length; row++) {
    const line = lineFrom(from, 4 * LONGEST_HEADER)
    from = line.next
    if (isLineOfBox(line)) continue
    const cell = cellOf(text, line, delimiter, cells, headings.length, column)
    if (cell === undefined) break
    const value = text.slice(cell.start, cell.end)
    if (isSecretHeading(value)) break
    if (!/\s/.test(value) && isSecret(value)) found.push(cell)
  }
  return found
}

/** The cell of a column, if a line has as many as the table. */
function cellOf(
  text: string,
  line: Cell,
  delimiter: string,
  cells: Reading['cells'],
  count: number,
  column: number,
): Cell | undefined {
  let row = cells(line.start, line.end, delimiter)
  // A cell in quotes may contain the delimiter, and a bar may be escaped.
  if (row.length > count)
    row =
      delimiter === '|'
        ? barredCellsOf(text, line.start, line.end)
        : quotedCellsOf(text, line.start, line.end, delimiter)
  if (row.length !== count) return undefined
  const { start, end } = row[column]!
  return column > 0
    ? { start, end }
    : { start: Math.max(start, Math.min(afterPrefix(text, line.start), end)), end }
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

/** What is behind a heading: a delimiter, a quote, emphasis, a space. */
const behindHeading = ',;\t|│┃"\'`*\\ \r\n'
const isBehindHeading = /[,;\t|"'`*\\\s]/

export const tables: readonly Rule[] = [
  {
    kind: 'table-value',
    triggers: [
      ...[...columnNames, 'pass'].map(
        (literal): Trigger => ({ literal, behind: { kind: isBehindHeading, count: 1 } }),
      ),
      ...combinations(['pw'], behindHeading),
    ],
    anyCase: true,
    pattern: new RegExp(
      `(?:${literal}|(?<![a-z])(?:pass|pw))(?=[,;\\t|│┃"'\`*\\\\ \\r\\n])(?= ?(?:\\([^()\\r\\n]{1,24}\\))?\\*{0,3}\\\\{0,16}["'\`]?\\*{0,3}[ ]{0,400}(?:[,;\\t|│┃]|\\r?\\n|\\\\))`,
      'iy',
    ),
    judge: () => true,
    ranges: tableRanges,
  },
]
