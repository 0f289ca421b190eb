import { isAmazonSecret, isGivenPassword } from '../judge.ts'
import { passwordRules, type Rule } from '../rule.ts'
import { isSecretHeading, judgeOfColumn } from './headings.ts'
import { afterPrefixLike, type Cell, cellsOf, nextLine, startOfLine } from './table-lines.ts'

/** Passwords that statements of SQL set, and rows whose column holds secrets. */

/** In the quotes of SQL, perhaps within those of a shell, with a doubled quote in it. */
const text = String.raw`(?:'\\{1,8}''|'"'"'|''(?=[^'\s]{4,128}'')|\\{0,16}['"])((?:[^\s"'\\]|(?<=[^\s'"])(?:''|'\\{1,8}''|'"'"')(?=[^\s'";,)])){4,128})(?=\\{0,16}['"])`
const function_ = String.raw`(?:[A-Za-z_]{1,20}\([ ]?)?`

/** Dumps have statements of a megabyte and more. */
const LONGEST_ROWS = 16 * 1024 * 1024
const MOST_VALUES = 4_000_000
const LONGEST_LINE = 64 * 1024

/**
 * One value of a row: text in quotes, in which a quote is doubled or escaped, a call with one, or anything
 * else.
 */
const oneValue =
  /[NEBX]?(?:'((?:[^'\\]|''|\\[\s\S])*?)'(?!')|(\\{1,16})'((?:[^'\\]|''|\\(?!\2').)*?)\2'|"([^"\\\r\n]*)"|(\w{1,20}\(\s{0,4}N?'([^'\\]*)'(?:[^()]|\([^()]*\))*\)|(?:[^,()'"\r\n]|\((?:[^()]|\([^()]*\))*\))*))(?:::[\w ]{1,30}(?:\(\d+(?:, ?\d+)?\))?)?/iy
const space = /(?:[^\S\n]|\\{1,16}[rt])*(?:\n|\\{1,16}n)?/y

/** How far before a statement its line begins at most. */
const LONGEST_START = 1600

/** The text in which rows are, and what may precede each of its lines. */
interface Statement {
  text: string
  prefix: Cell
  end: number
}

/** Skips white space, and what tools write before lines. */
function skipSpace({ text, prefix, end }: Statement, from: number): number {
  for (let at = from; at < end; ) {
    space.lastIndex = at
    const skipped = space.exec(text)![0]
    at += skipped.length
    if (!/\n$|\\n$/.test(skipped)) return at
    at = afterPrefixLike(text, at, prefix)
  }
  return end
}

/** The values up to a bracket, or up to one behind which there is no comma. */
function rowAt(statement: Statement, from: number): { row: Cell[]; end: number } {
  const row: Cell[] = []
  for (let at = from; row.length < MOST_VALUES; ) {
    at = skipSpace(statement, at)
    oneValue.lastIndex = at
    const match = oneValue.exec(statement.text)!
    const inner = match[1] ?? match[3] ?? match[4] ?? match[6] ?? match[5]!.trimEnd()
    const isText = match[5] === undefined || match[6] !== undefined
    const start = at + match[0].indexOf(inner, isText ? match[0].search(/['"]/) + 1 : 0)
    row.push({ start, end: start + inner.length })
    at = skipSpace(statement, at + match[0].length)
    if (at >= statement.end || statement.text[at] !== ',') return { row, end: at }
    at++
  }
  return { row, end: statement.end }
}

/** The values in the rows behind `VALUES` or `SELECT`, column by column. */
function rowsOf(statement: Statement, from: number, columns: number, isSelect: boolean): Cell[][] {
  const rows: Cell[][] = []
  for (let at = skipSpace(statement, from), count = 0; count < MOST_VALUES; count += columns) {
    if (!isSelect && statement.text[at] !== '(') break
    const { row, end } = rowAt(statement, isSelect ? at : at + 1)
    // Behind the last value of a selection, conditions may follow.
    if (isSelect) row.splice(columns)
    if (row.length !== columns) break
    rows.push(row)
    if (isSelect || statement.text[end] !== ')') break
    at = skipSpace(statement, end + 1)
    if (statement.text[at] === ',') at = skipSpace(statement, at + 1)
  }
  return rows
}

const lastName = /(?:["'`[\\]([^"'`[\]\\]+)["'`\]\\]+|([\p{L}\p{N}_$#]+))\s*$/u

/** The names in a list of columns, which may extend over lines. */
const columnsIn = (list: string): string[] =>
  list.split(',').map((each) => {
    const [, quoted, bare = ''] = lastName.exec(each.slice(-LONGEST_NAME)) ?? []
    return quoted ?? bare
  })
const LONGEST_NAME = 80

/** What precedes the lines of a statement whose first words are these. */
function statementAt({ input: text, index }: RegExpExecArray): Statement {
  const start = startOfLine(text, index, LONGEST_START) ?? index
  const before = text.slice(start, index).replace(/(?:insert|replace|upsert)(?: \w+){0,2}\s*$/i, '')
  const end = Math.min(text.length, index + LONGEST_ROWS)
  return { text, prefix: { start, end: start + before.length }, end }
}

/** The secrets in rows of these columns. */
function secretsIn(text: string, columns: readonly string[], rows: readonly Cell[][]): Cell[] {
  const secrets = columns.flatMap((each, at) => (isSecretHeading(each) ? [at] : []))
  return rows.flatMap((row) =>
    secrets.flatMap((column) => {
      const cell = row[column]!
      return judgeOfColumn(columns[column]!)(text.slice(cell.start, cell.end)) ? [cell] : []
    }),
  )
}

function insertRanges(match: RegExpExecArray): Cell[] {
  const statement = statementAt(match)
  // A prefix with a comma would make a column.
  const list = match.groups!.columns!
  const offset = match.index + match[0].indexOf(list)
  let plain = ''
  for (let at = 0; at < list.length; ) {
    const line = list.indexOf('\n', at)
    const end = line < 0 ? list.length : line
    const start =
      at === 0 ? 0 : Math.min(end, afterPrefixLike(statement.text, offset + at, statement.prefix) - offset)
    plain += `${list.slice(start, end)} `
    at = end + 1
  }
  const columns = columnsIn(plain)
  if (!columns.some(isSecretHeading)) return []
  const isSelect = /t$/i.test(match[0])
  return secretsIn(
    match.input,
    columns,
    rowsOf(statement, match.index + match[0].length, columns.length, isSelect),
  )
}

/** The lines behind `COPY … FROM stdin`, with tabs between their values. */
function copyRanges(match: RegExpExecArray): Cell[] {
  const { text, prefix, end } = statementAt(match)
  const columns = columnsIn(match.groups!.columns!)
  if (!columns.some(isSecretHeading)) return []
  const rows: Cell[][] = []
  const sign = /csv/i.test(match[0]) ? ',' : '\t'
  let from = nextLine(text, match.index + match[0].length, LONGEST_LINE).next
  while (from < end) {
    const line = nextLine(text, from, LONGEST_LINE)
    const row = cellsOf(text, afterPrefixLike(text, line.start, prefix), line.end, sign)
    if (row.length !== columns.length) break
    rows.push(row)
    from = line.next
  }
  return secretsIn(text, columns, rows)
}

/** A table with its columns, up to its rows. */
const columnsAndRows = String.raw`(?:[\w."\x60[\]\\$]{1,128})(?:\s{0,4}|[ \t]{0,4}\r?\n[^();\r\n]{0,120})\((?<columns>[^()]{1,2000})\)[^();]{0,200}?(?:(?:values|VALUES)(?=[\s(\\])|(?:select|SELECT)(?=\s))`

export const sql: readonly Rule[] = passwordRules([
  {
    triggers: ['identified '],
    anyCase: true,
    pattern: new RegExp(
      `identified (?!(?:with|via) \\w{1,40}_hash\\b)(?:(?:with|via) [\\w"'\\x60\\\\]{1,60} )?(?:by|as|using)(?: password)? {0,2}\\(?${text}`,
      'iy',
    ),
    judge: isGivenPassword,
  },
  {
    triggers: ['identified by '],
    anyCase: true,
    pattern: /(?<=(?:user|role|grant)[^\r\n;]{1,100})identified by ([\w$#!%+*^&?@~-]{6,64})(?=[\s;"\\]|$)/iy,
    judge: (secret) => /\d/.test(secret) && isGivenPassword(secret),
  },
  {
    triggers: ['password '],
    anyCase: true,
    pattern: new RegExp(
      `password {1,2}(?:(?<=(?:user|role)[^\\r\\n;]{1,100})|for [^\\s=;]{1,100}(?: {0,2}= {0,2}| to )|(?<=with[^\\r\\n;]{1,100}|\\bset password {1,2})= {0,2})N?${function_}${text}`,
      'iy',
    ),
    judge: isGivenPassword,
  },
  {
    // The key of a database in one file.
    triggers: ['pragma key', 'pragma rekey'],
    anyCase: true,
    pattern: new RegExp(`pragma (?:re)?key ?[=(] ?${text}`, 'iy'),
    judge: isGivenPassword,
  },
  {
    kind: 'table-value',
    // `insert into users`, `insert [dbo].[Users]`
    triggers: ['insert ', 'replace into ', 'upsert into '],
    anyCase: true,
    pattern: new RegExp(
      `(?:insert|replace|upsert) (?:(?:or \\w{1,10} |ignore )?into )?${columnsAndRows}`,
      'iy',
    ),
    judge: () => true,
    ranges: insertRanges,
  },
  {
    kind: 'table-value',
    // `INSERT ALL` and lines with `INTO users`.
    triggers: ['INTO '],
    pattern: new RegExp(`INTO ${columnsAndRows}`, 'y'),
    judge: () => true,
    ranges: insertRanges,
  },
  {
    kind: 'table-value',
    triggers: ['copy '],
    anyCase: true,
    pattern: /copy [\w."]{1,128} ?\((?<columns>[^()]{1,2000})\) from stdin\b[^;\r\n]{0,100}/iy,
    judge: () => true,
    ranges: copyRanges,
  },
  {
    triggers: ['pgp_sym_'],
    pattern: new RegExp(`pgp_sym_(?:en|de)crypt(?:_bytea)?\\([^'\\r\\n]{1,160}, {0,2}${text}`, 'y'),
    judge: isGivenPassword,
  },
  {
    // `CREATE SECRET (TYPE s3, KEY_ID '…', SECRET '…')`
    kind: 'aws-secret-key',
    triggers: ["SECRET '"],
    pattern: /SECRET '([A-Za-z0-9+/]{40})(?=')/y,
    judge: (secret) => isAmazonSecret(secret, true),
  },
])
