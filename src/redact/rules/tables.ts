import { combinations, type Rule, type Trigger } from '../rule.ts'
import { isHeader, isSecretHeading, judgeOfColumn, titleOf } from './headings.ts'
import {
  chinesePasswordWords,
  doubtfulPasswordWords,
  keyWords,
  passwordWords,
  unspacedPasswordWords,
} from './secret-words.ts'
import {
  afterPrefix,
  afterPrefixLike,
  afterSharedPrefix,
  barredCellsOf,
  type Cell,
  cellsOf,
  isFrame,
  nextLine,
  nextQuotedLine,
  openingQuotes,
  quotedCellsOf,
  ruledColumns,
  spacedCellsOf,
  startOfLine,
  startOfQuotedLine,
} from './table-lines.ts'

/** Secrets in columns below a heading, and in records of one line per field. */

const LONGEST_HEADER = 400
/** A cell before the secret may hold much. A table ends only where a row has another form. */
const LONGEST_ROW = 64 * 1024
const bars = '|│┃║'
const delimiters = `,;\t${bars}`
const isDelimiter = /[,;\t|│┃║]/

/** How the lines and cells of a table are told apart. */
interface Reading {
  start: number | undefined
  lineFrom(start: number, longest: number): Cell & { next: number }
  cells(start: number, end: number, delimiter: string): Cell[]
}

/** The positions of secrets in the rows below such a heading, in CSV files, Markdown tables and boxes. */
function tableRanges({ 0: match, input: text, index }: RegExpExecArray): Cell[] {
  if (!mayBeHeader(text, index + match.length)) return []
  const start = startOfLine(text, index, LONGEST_HEADER)
  const cells: Reading['cells'] = (start, end, delimiter) => cellsOf(text, start, end, delimiter)
  const found = rangesBelow(text, index, {
    start,
    lineFrom: (start, longest) => nextLine(text, start, longest),
    cells,
  })
  if (found !== undefined && found.length > 0) return found
  if (start !== undefined) {
    const quoted = quotedRanges(text, index, index + match.length, start, found !== undefined)
    if (quoted.length > 0) return quoted
  }
  // The header stands behind the quote of a string.
  for (const { start, quote } of openingQuotes(text, index, LONGEST_HEADER)) {
    const lineFrom: Reading['lineFrom'] = (start, longest) => nextQuotedLine(text, start, longest, 1, quote)
    const inString = rangesBelow(text, index, { start, lineFrom, cells })
    if (inString !== undefined && inString.length > 0) return inString
  }
  return []
}

const lineEnd = /\r?\n|\\{1,16}[rn]/
const lineBelow = /^(?:[ \t\r\n]|\\{1,16}[rn]|#[^\r\n\\]{0,200}(?:\r?\n|\\{1,16}[rn])){0,8}([^\r\n]{0,400})/
const mayBeRow = /[,;\t|│┃║]| {2}|[-─━═=]{2}/
const mayBeFrame = /[-─━═=]{2}/
/** What code has behind a name, and no heading: operators, brackets, a comma at the end of the line. */
const ofStatement = /[={}<>$]|[()]|^["'`]?,\s*$/
const remarks = /\([^()]{0,24}\)/g

/**
 * Whether what follows the word on its line, and the next line, may belong to a table. Most words end here.
 */
function mayBeHeader(text: string, end: number): boolean {
  const behind = text.slice(end, end + LONGEST_HEADER)
  const stop = lineEnd.exec(behind)
  if (stop === null) return false
  const next = end + stop.index + stop[0].length
  const below = lineBelow.exec(text.slice(next, next + LONGEST_HEADER))![1]!
  if (!mayBeRow.test(below) && !(below.length === LONGEST_HEADER && mayBeLongRow(text, next))) return false
  return mayBeFrame.test(below) || !ofStatement.test(behind.slice(0, stop.index).replace(remarks, ''))
}

/** The same for a row whose first cell is longer. */
const mayBeLongRow = (text: string, start: number): boolean =>
  isDelimiter.test(/^[^\r\n]*/.exec(text.slice(start, start + LONGEST_ROW))![0])

/** The same if each heading is in quotes. */
function quotedRanges(text: string, index: number, end: number, start: number, isTable: boolean): Cell[] {
  const mayBeQuoted = isTable
    ? text.slice(end, end + LONGEST_HEADER).includes('"')
    : text[start - 1] === '"' ||
      isInQuotes.test(text.slice(end, end + HEADING_END)) ||
      isAboveQuotes.test(text.slice(end, end + 2 * LONGEST_HEADER))
  if (!mayBeQuoted) return []
  // Between quotes, a quote next to a comma is not the end of a string that contains the table.
  for (const depth of new Set([depthOfQuotes(text, start), 0])) {
    const found = rangesBelow(text, index, {
      start: startOfQuotedLine(text, index, LONGEST_HEADER, depth),
      lineFrom: (start, longest) => nextQuotedLine(text, start, longest, depth),
      cells: (start, end, delimiter) => quotedCellsOf(text, start, end, delimiter),
    })
    if (found !== undefined) return found
  }
  return []
}

/** A quote is behind the heading. */
const isInQuotes = /^[^,;\t|"\r\n]{0,48}"/
const HEADING_END = 50
/** The next line begins with a cell in quotes. */
const isAboveQuotes = /^[^"\r\n]{0,400}?(?:\r?\n|\\{1,16}n)[^"\r\n]{0,80}"[^\r\n]{0,240}"[,;\t]/

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
function rangesBelow(text: string, index: number, reading: Reading): Cell[] | undefined {
  const { start, lineFrom } = reading
  if (start === undefined) return undefined
  const header = lineFrom(start, LONGEST_HEADER)
  if (header.next >= text.length || header.end <= index) return undefined
  const next = nextFilled(text, header.next, lineFrom, LONGEST_HEADER)
  const below = text.slice(next.start, next.end)
  const around = delimitersAround(text, index, header)
  const ruled =
    / {2}/.test(text.slice(index, header.end)) || around.length === 0
      ? ruledRanges(text, index, header, next, reading)
      : undefined
  if (ruled !== undefined) return ruled
  if (around.length === 0)
    return spacedRanges(text, index, header, next, reading) ?? rowsOfOneColumn(text, start, header)
  // Most sentences end here, before anything that takes longer.
  if (below.length < LONGEST_HEADER && !isDelimiter.test(below) && !isFrame(below)) return undefined
  for (const delimiter of around) {
    const found = delimitedRanges(text, index, header, next, reading, delimiter)
    if (found !== undefined) return found
  }
  // The delimiter belongs to what a tool wrote before each line.
  return spacedRanges(text, index, header, next, reading)
}

/** How many lines may be empty, or a comment, between the lines of a table. */
const MOST_SKIPPED = 3
const isSkipped = /^\s*(?:#|$)/

/** The line at a position, or one of the next lines if it is empty or a comment. */
function nextFilled(text: string, start: number, lineFrom: Reading['lineFrom'], longest: number) {
  let line = lineFrom(start, longest)
  for (let skipped = 0; skipped < MOST_SKIPPED && line.next < text.length; skipped++) {
    if (!isSkipped.test(text.slice(line.start, line.end))) break
    line = lineFrom(line.next, longest)
  }
  return line
}

/** The delimiters next to a heading. */
function delimitersAround(text: string, index: number, { start, end }: Cell): string[] {
  const behind = isDelimiter.exec(text.slice(index, end))?.[0] ?? ''
  let at = index - 1
  while (at >= start && !delimiters.includes(text[at]!)) at--
  // Tabs before the first heading are an indentation.
  const isIndented = text[at] === '\t' && text.slice(start, at).trim() === ''
  const before = at < start || isIndented ? '' : text[at]!
  return [...new Set([behind, before])].filter((each) => each !== '')
}

const LONGEST_WORD = 40

/** Where the text of a header begins, which may be a part of its first heading. */
function beginningOf(text: string, index: number, header: Cell, next: Cell, delimiter: string): number {
  const shared = afterSharedPrefix(text, header, next)
  const word =
    index -
    /[\p{L}\p{N}_.-]*$/u.exec(text.slice(Math.max(header.start, index - LONGEST_WORD), index))![0].length
  const after = afterPrefix(text, header.start, word)
  // A heading before a bar looks like the name of a program.
  const isCell = bars.includes(delimiter) && /[|│┃║]/.test(text.slice(header.start, after))
  const start = Math.max(shared <= index ? shared : header.start, isCell ? header.start : after)
  const words = isCell ? undefined : announcing.exec(text.slice(start, word))?.[0].length
  return start + (words ?? 0)
}
/** Words that announce a table on the line of its header: `The export: name,email,password`. */
const announcing = /^[^,;\t|│┃║:\r\n]{1,80}: (?=[\p{L}\p{N}_ ]{1,40}[,;\t])/u

function delimitedRanges(
  text: string,
  index: number,
  header: Cell & { next: number },
  next: Cell,
  { lineFrom, cells }: Reading,
  delimiter: string,
): Cell[] | undefined {
  const begins = beginningOf(text, index, header, next, delimiter)
  const prefix = { start: header.start, end: begins }
  const headings = cells(begins, header.end, delimiter)
  const column = headings.findIndex((cell) => cell.start <= index && index < cell.end)
  if (column < 0 || headings.length + cells(header.start, begins, delimiter).length < 3) return undefined
  const titleIn = ({ start, end }: Cell): string => titleOf(text.slice(start, end))
  const title = titleIn(headings[column]!)
  // A comma in a time separates no headings.
  if (/ {2}/.test(title) || !isSecretHeading(title)) return undefined
  const isBox = bars.includes(delimiter)
  const isLineOfBox = ({ start, end }: Cell): boolean => isBox && isFrame(text.slice(start, end))
  const titles = headings.map(titleIn).filter((each) => !isBox || each !== '')
  // A program's name before a bar has the same form as a heading.
  const prefixes = cells(header.start, begins, delimiter).map(titleIn)
  if (ofCode.test(text.slice(header.start, begins))) return undefined
  if (!isHeader({ titles, prefixes, isFramed: isLineOfBox(next) }, title)) return undefined
  const isSecret = judgeOfColumn(title)
  const ends = createEnding(isSecret)
  const found: Cell[] = []
  let from = header.next
  let odd = 0
  while (from < text.length && odd <= MOST_ODD) {
    const line = isBox ? lineFrom(from, LONGEST_ROW) : nextFilled(text, from, lineFrom, LONGEST_ROW)
    from = line.next
    if (isLineOfBox(line)) continue
    const begin = afterPrefixLike(text, line.start, prefix)
    // One column, in a list whose lines begin alike.
    if (headings.length === 1 && !isBox && begin === line.start) break
    const row = rowOf(text, { start: begin, end: line.end }, delimiter, cells, headings.length)
    if (row === undefined) {
      if (isBox || begin === line.end) break
      odd++
      continue
    }
    odd = 0
    const cell = row[column]!
    const value = text.slice(cell.start, cell.end)
    const titlesOfRow = () => row.map(titleIn).filter((each) => !isBox || each !== '')
    if (ends(value, () => isHeader({ titles: titlesOfRow(), prefixes, isFramed: false }, titleOf(value))))
      break
    if (!/\s/.test(value) && isSecret(value)) found.push(cell)
  }
  return found
}

/** A statement of a program may begin with one of these words and contain several names. */
const ofCode = /^[\s+>-]*(?:import|from|select|return|const|let|var|def|function|global)\s/i

/** How many values of a column may read like a heading. More are the headers of other tables. */
const MOST_ALIKE = 50

/** Returns a test for values: whether a table ends, because the row is the header of another one. */
function createEnding(
  isSecret: (value: string) => boolean,
): (value: string, isHeader: () => boolean) => boolean {
  let alike = 0
  return (value, isHeader) =>
    isSecretHeading(value) && !isSecret(value) && (++alike > MOST_ALIKE || isHeader())
}

/** How many lines in a row may have another number of cells: those of a cell with line breaks. */
const MOST_ODD = 3

/** The cells of a line, if there are as many as in the table. */
function rowOf(
  text: string,
  { start, end }: Cell,
  delimiter: string,
  cells: Reading['cells'],
  count: number,
): Cell[] | undefined {
  // Below a heavy line, bars are thin.
  const sign = delimiter === '┃' && !text.slice(start, end).includes(delimiter) ? '│' : delimiter
  const row = cells(start, end, sign)
  if (row.length === count) return row
  if (row.length < count) return undefined
  // A cell in quotes may contain the delimiter, and a bar may be escaped.
  const other = sign === '|' ? barredCellsOf(text, start, end) : quotedCellsOf(text, start, end, sign)
  return other.length === count ? other : undefined
}

/** A table whose columns are as wide as the lines of dashes below their headings. */
function ruledRanges(
  text: string,
  index: number,
  header: Cell & { next: number },
  rule: Cell & { next: number },
  { lineFrom }: Reading,
): Cell[] | undefined {
  const begins = Math.min(index, afterSharedPrefix(text, header, rule))
  const prefix = { start: header.start, end: begins }
  const columns = ruledColumns(text.slice(afterPrefixLike(text, rule.start, prefix), rule.end))
  const column = columns.find(({ start, end }) => begins + start <= index && index < begins + end)
  if (column === undefined) return undefined
  const cellIn = (from: number, end: number): Cell => {
    const start = Math.min(end, from + column.start)
    let to = Math.min(end, from + column.end)
    // A value may be wider than its column.
    while (to < end && to > start && /\S{2}/.test(text.slice(to - 1, to + 1))) to++
    return cellsOf(text, start, to, '\n')[0]!
  }
  const heading = cellIn(begins, header.end)
  const title = titleOf(text.slice(heading.start, heading.end))
  if (!isSecretHeading(title)) return undefined
  const isSecret = judgeOfColumn(title)
  const ends = createEnding(isSecret)
  const found: Cell[] = []
  for (let from = rule.next; from < text.length; ) {
    const row = lineFrom(from, LONGEST_ROW)
    const begin = afterPrefixLike(text, row.start, prefix)
    if (text.slice(begin, row.end).trim() === '') break
    const cell = cellIn(begin, row.end)
    const value = text.slice(cell.start, cell.end)
    if (isFrame(value) || ends(value, () => false)) break
    const isShifted = column.start > 0 && /\S/.test(text[begin + column.start - 1] ?? '')
    if (!isShifted && !/\s/.test(value) && isSecret(value)) found.push(cell)
    from = row.next
  }
  return found
}

/** A table with two spaces or more between its columns, and perhaps a number before each row. */
function spacedRanges(
  text: string,
  index: number,
  header: Cell & { next: number },
  next: Cell,
  { lineFrom }: Reading,
): Cell[] | undefined {
  if (!/\S {2}/.test(text.slice(header.start, header.end))) return undefined
  const begins = beginningOf(text, index, header, next, ' ')
  const prefix = { start: header.start, end: begins }
  const headings = spacedCellsOf(text, begins, header.end)
  const column = headings.findIndex((cell) => cell.start <= index && index < cell.end)
  const titles = headings.map(({ start, end }) => text.slice(start, end))
  const title = titles[column]
  if (title === undefined || titles.length < 2 || !isSecretHeading(title)) return undefined
  if (!isHeader({ titles, prefixes: [], isFramed: false }, title)) return undefined
  const isSecret = judgeOfColumn(title)
  const ends = createEnding(isSecret)
  const found: Cell[] = []
  for (let from = header.next; from < text.length; ) {
    const line = lineFrom(from, LONGEST_ROW)
    const row = spacedCellsOf(text, afterPrefixLike(text, line.start, prefix), line.end)
    if (row.length - headings.length !== 0 && row.length - headings.length !== 1) break
    const cell = row.at(column - headings.length)!
    const value = text.slice(cell.start, cell.end)
    const titlesOfRow = () => row.map(({ start, end }) => text.slice(start, end))
    if (ends(value, () => isHeader({ titles: titlesOfRow(), prefixes: [], isFramed: false }, value))) break
    if (!/\s/.test(value) && isSecret(value)) found.push(cell)
    from = line.next
  }
  return found
}

/** A table of `psql` with one column: a heading, a line of dashes, and a value on each line. */
function rowsOfOneColumn(text: string, start: number, header: Cell & { next: number }): Cell[] {
  const title = text.slice(start, header.end).trim()
  const line = nextLine(text, header.next, LONGEST_HEADER)
  if (!isSecretHeading(title) || !/^\s*-{4,}\s*$/.test(text.slice(line.start, line.end))) return []
  const isSecret = judgeOfColumn(title)
  const found: Cell[] = []
  for (let from = line.next; from < text.length; ) {
    const row = nextLine(text, from, LONGEST_ROW)
    const [cell] = cellsOf(text, row.start, row.end, '\n')
    const value = text.slice(cell!.start, cell!.end)
    // Below the rows stands their number.
    if (value === '' || /\s/.test(value)) break
    if (isSecret(value)) found.push(cell!)
    from = row.next
  }
  return found
}

/** The fields of a record of `psql`, below a line with its number. */
function recordRanges({ input: text, index }: RegExpExecArray): Cell[] {
  const start = startOfLine(text, index, LONGEST_HEADER) ?? index
  const prefix = { start, end: index }
  const found: Cell[] = []
  let from = nextLine(text, index, LONGEST_HEADER).next
  while (from < text.length) {
    const line = nextLine(text, from, LONGEST_ROW)
    from = line.next
    const begin = afterPrefixLike(text, line.start, prefix)
    const [name, value] = /[│|]/.test(text.slice(begin, line.end))
      ? cellsOf(text, begin, line.end, text.slice(begin, line.end).includes('│') ? '│' : '|')
      : []
    if (name === undefined || value === undefined) break
    const title = titleOf(text.slice(name.start, name.end))
    const given = text.slice(value.start, value.end)
    if (isSecretHeading(title) && !/\s/.test(given) && judgeOfColumn(title)(given)) found.push(value)
  }
  return found
}

/** What is behind a heading: a delimiter, a quote, emphasis, a bracket, a space. */
const behindHeading = `${delimiters}"'\`*\\ \r\n[`
const isBehindHeading = /[,;\t|"'`*\\\s[]/
const names = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'psk',
  'secret',
  'token',
  'mnemonic',
  'contraseña',
  'contrasena',
  ...passwordWords,
  ...unspacedPasswordWords,
  ...doubtfulPasswordWords,
  ...keyWords,
]
/** Which keys are meant depends on the word before. */
const ofKeys = ['api', 'access', 'secret', 'private', 'auth', 'encryption', 'signing', 'master', 'shared']
const ofOtherKeys = ['service', 'deploy', 'license', 'admin', 'ssh', 'webhook']
const keys = combinations([...ofKeys, ...ofOtherKeys], ['', ' ', '_', '-'], ['key'])

export const tables: readonly Rule[] = [
  {
    kind: 'table-value',
    triggers: [
      ...[...names, ...keys, ...chinesePasswordWords, 'pass', 'otp', 'pin', 'pin-code', 'pin code'].map(
        (literal): Trigger => ({ literal, behind: { kind: isBehindHeading, count: 1 } }),
      ),
      ...combinations(['pw'], behindHeading),
    ],
    anyCase: true,
    pattern: new RegExp(
      `(?:${[...names, ...chinesePasswordWords].join('|')}|(?<![a-z])(?:pass|pw|otp|pin(?:[- ]code)?)|(?:${[...ofKeys, ...ofOtherKeys].join('|')})[ _-]?key)(?=[,;\\t|│┃║"'\`*\\\\ \\r\\n[])(?= ?(?:\\([^()\\r\\n]{1,24}\\)|\\[[^[\\]\\r\\n]{1,40}\\])?\\*{0,3}\\\\{0,16}["'\`]?\\*{0,3}(?:[ ]{0,400}(?:[,;\\t|│┃║]|\\r?\\n|\\\\)|[ ]{2}))`,
      'iy',
    ),
    judge: () => true,
    ranges: tableRanges,
  },
  {
    kind: 'table-value',
    triggers: ['-[ RECORD ', '─[ RECORD '],
    pattern: /[-─]\[ RECORD \d/y,
    judge: () => true,
    ranges: recordRanges,
  },
]
