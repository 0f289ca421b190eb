import { isAssignedKey, isNumericKey } from '../judge.ts'
import { isAssignedPassword } from '../password-judge.ts'
import { linePrefix } from './line-prefix.ts'

/** Lines and cells of tables, in texts whose line ends may be escaped once or several times. */

export interface Cell {
  start: number
  end: number
}

const lineEnd = /\r?\n|(?:\\{1,16}r)?\\{1,16}n|(?=\\{0,16}"\s{0,4}[,}\]:])/g

/** The start of the line that contains a position. Undefined if it is further back than `reach`. */
export function startOfLine(text: string, position: number, reach: number): number | undefined {
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
export function nextLine(text: string, start: number, longest: number): Cell & { next: number } {
  lineEnd.lastIndex = start
  const match = lineEnd.exec(text.length <= start + longest + 20 ? text : text.slice(0, start + longest + 20))
  if (!match) return { start, end: Math.min(text.length, start + longest), next: text.length }
  const end = match.index
  return match[0] === '' ? { start, end, next: text.length } : { start, end, next: end + match[0].length }
}

const prefix = new RegExp(linePrefix, 'y')
const PREFIX = 200

/** Where the text of a line begins, behind what tools write before it. */
export function afterPrefix(text: string, start: number): number {
  prefix.lastIndex = 0
  return start + (prefix.exec(text.slice(start, start + PREFIX))?.[0].length ?? 0)
}

/** Whether a line ends in signs only: between the header of a table and its rows, or around a box. */
export const isFrame = (line: string): boolean => frame.test(line)
const frame = /(?:^|[\s+|:│┃┌└├╞┏┗┡╟╠])[-─━═=]{2,}[\s|+:=│┃┐┘┤┬┴┼─━═╪╡┓┛┩╇╈╢╣╬-]*$/

/** The cells of a line, without surrounding spaces and quotes. */
export function cellsOf(text: string, start: number, end: number, delimiter: string): Cell[] {
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
export const isSecretHeading = (name: string): boolean => secretHeading.test(name)

const passwordHeading = /pass|pwd|pw$|kennwort|contrase|senha|has[łl]o|密码/i

/** Judges a value of the column. */
export const judgeOfColumn = (heading: string): ((value: string) => boolean) =>
  passwordHeading.test(heading)
    ? (value) => isAssignedPassword(value, 'quoted') && !isHash(value)
    : (value) => isAssignedKey(value, true) || isNumericKey(value)

/** What programs store instead of a password. */
const isHash = (value: string): boolean => /^\$(?:2[abxy]?|argon2\w*|[156y]|scrypt|pbkdf2)\$/.test(value)
