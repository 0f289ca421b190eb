import { isGivenPassword } from '../password-judge.ts'
import type { Rule } from '../rule.ts'
import { type Cell, isSecretHeading, judgeOfColumn } from './table-lines.ts'

/** Passwords that statements of SQL set, and rows whose column holds secrets. */

const text = String.raw`\\{0,16}['"]([^\s"'\\]{4,128})(?=\\{0,16}['"])`
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

function ranges({ groups, input, index, 0: match }: RegExpExecArray): Cell[] {
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
    ranges,
  },
]
