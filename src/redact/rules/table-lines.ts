import { linePrefix, textBefore } from './pattern-parts.ts'

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
    if (character === '"' && /[:[,{(][ \t]?\\{0,16}$/.test(textBefore(text, at, 18))) return at + 1
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

/**
 * Whether a quote is escaped at least this often. One that is not is the end of a string that contains the
 * table.
 */
function isEscaped(text: string, quote: number, depth: number): boolean {
  let backslashes = 0
  while (backslashes < depth && text[quote - 1 - backslashes] === '\\') backslashes++
  return backslashes === depth
}

/** The same for a line with cells in quotes that are escaped `depth` times. */
export function startOfQuotedLine(
  text: string,
  position: number,
  reach: number,
  depth: number,
): number | undefined {
  for (let at = position - 1; at >= position - reach; at--) {
    if (at < 0) return 0
    const character = text[at]
    if (character === '\n' || (character === 'n' && text[at - 1] === '\\')) return at + 1
    if (character === '"' && !isEscaped(text, at, depth)) return at + 1
  }
  return undefined
}

const lineEndHere = /\r?\n|(?:\\{1,16}r)?\\{1,16}n/y

export function nextQuotedLine(
  text: string,
  start: number,
  longest: number,
  depth: number,
  quote = '"',
): Cell & { next: number } {
  const limit = Math.min(text.length, start + longest)
  for (let at = start; at < limit; at++) {
    const character = text[at]
    if (character === quote[0] && text.startsWith(quote, at) && !isEscaped(text, at, depth))
      return { start, end: at, next: text.length }
    if (character !== '\n' && character !== '\r' && character !== '\\') continue
    lineEndHere.lastIndex = at
    const match = lineEndHere.exec(text)
    if (match !== null) return { start, end: at, next: lineEndHere.lastIndex }
  }
  return { start, end: limit, next: text.length }
}

/** The quotes before a position on its line that may have opened a string, one of each kind. */
export function openingQuotes(
  text: string,
  position: number,
  reach: number,
): { start: number; quote: string }[] {
  const found: { start: number; quote: string }[] = []
  for (let at = position - 1; at >= Math.max(0, position - reach); at--) {
    const character = text[at]!
    if (character === '\n' || (character === 'n' && text[at - 1] === '\\')) break
    if (!`"'\``.includes(character) || found.some(({ quote }) => quote[0] === character)) continue
    const triple = character.repeat(3)
    const quote = text.slice(at - 2, at + 1) === triple ? triple : character
    if (mayPrecedeString.test(text[at - quote.length] ?? ' ')) found.push({ start: at + 1, quote })
  }
  return found
}
const mayPrecedeString = /[\s=([{,:]/

/** Where the text of a line begins, behind what tools write before it. */
export function afterPrefix(text: string, start: number, end = start + PREFIX): number {
  prefix.lastIndex = 0
  return start + (prefix.exec(text.slice(start, Math.min(end, start + PREFIX)))?.[0].length ?? 0)
}

/**
 * How far two places have the same text, apart from the digits of numbers and the number of spaces. Ends
 * behind the last sign that may end what a tool writes before a line.
 */
function alike(text: string, one: number, oneEnd: number, other: number): { one: number; other: number } {
  const end = { one, other }
  let [first, second] = [one, other]
  while (first < oneEnd) {
    const character = text[first]!
    const run = isDigit(character) ? isDigit : character === ' ' ? isSpace : undefined
    if (run === undefined ? text[second] !== character : !run(text[second])) break
    first++
    second++
    while (run?.(text[first]) && first < oneEnd) first++
    while (run?.(text[second])) second++
    if (first === oneEnd || endsPrefix.test(character)) [end.one, end.other] = [first, second]
  }
  return end
}
const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9'
const isSpace = (character: string | undefined): boolean => character === ' '
const endsPrefix = /[\s:|│┃║→>]/

/** Where the text of a line begins if the next line begins with the same prefix. */
export const afterSharedPrefix = (text: string, line: Cell, next: Cell): number =>
  alike(text, line.start, Math.min(line.end, line.start + PREFIX), next.start).one

/** Where the text of a line begins, if another line has this before its text. */
export function afterPrefixLike(text: string, start: number, like: Cell): number {
  if (like.end <= like.start) return start
  const same = alike(text, like.start, like.end, start)
  return same.one === like.end ? same.other : afterPrefix(text, start)
}

/** Whether a line ends in signs only: between the header of a table and its rows, or around a box. */
export const isFrame = (line: string): boolean => frame.test(line)
const frame = /(?:^|[\s+|:→│┃║┌└├╞┏┗┡╟╠╔╚╭╰])[-─━═=]{2,}[\s|+:=│┃║┐┘┤┬┴┼─━═╪╡┓┛┩╇╈╢╣╬╦╩╫╗╝╮╯-]*$/

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

const openingQuote = /[ \t]{0,40}(\\{0,16}")/y

/** The same for cells in quotes that may contain the delimiter, and quotes that are doubled. */
export function quotedCellsOf(text: string, start: number, end: number, delimiter: string): Cell[] {
  const line = text.slice(start, end)
  const cells: Cell[] = []
  for (let from = 0; from <= line.length; ) {
    openingQuote.lastIndex = from
    const quote = openingQuote.exec(line)?.[1]
    let at = quote === undefined ? from : openingQuote.lastIndex
    while (quote !== undefined) {
      at = line.indexOf(quote, at)
      if (at < 0) return cells
      at += quote.length
      if (!line.startsWith(quote, at)) break
      at += quote.length
    }
    const next = line.indexOf(delimiter, at)
    cells.push(trimmed(text, start + from, start + (next < 0 ? line.length : next)))
    if (next < 0) break
    from = next + 1
  }
  return cells
}

/** The same for cells in which a bar that is no delimiter is escaped. */
export function barredCellsOf(text: string, start: number, end: number): Cell[] {
  const cells: Cell[] = []
  let from = start
  for (let at = start; at <= end; at++) {
    if (at < end && (text[at] !== '|' || text[at - 1] === '\\')) continue
    cells.push(trimmed(text, from, at))
    from = at + 1
  }
  return cells
}

/** The same for cells between which there are two spaces or more. */
export const spacedCellsOf = (text: string, start: number, end: number): Cell[] =>
  Array.from(text.slice(start, end).matchAll(/\S+(?: \S+)*/g), ({ 0: { length }, index }) => ({
    start: start + index,
    end: start + index + length,
  }))

function trimmed(text: string, from: number, to: number): Cell {
  const [, before = ''] = /^(\s*\\{0,16}["'`]?)/.exec(text.slice(from, to)) ?? []
  const start = from + before.length
  const inner = text.slice(start, to).replace(/\\{0,16}["'`]?\s*$/, '')
  return { start, end: start + inner.length }
}

/** The columns above lines of dashes that are separated by spaces. The last one has no end. */
export function ruledColumns(rule: string): Cell[] {
  if (!/^[ \t]*[-=]{2}[-= \t]*[-=]$/.test(rule.trimEnd()) || !/[-=] {1,4}[-=]/.test(rule)) return []
  const starts = Array.from(rule.matchAll(/(?<![-=])[-=]/g), ({ index }) => index)
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? Number.MAX_SAFE_INTEGER }))
}
