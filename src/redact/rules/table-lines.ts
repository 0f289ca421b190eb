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
  const match = lineEnd.exec(text.slice(0, start + longest + 20))
  if (!match) return { start, end: Math.min(text.length, start + longest), next: text.length }
  const end = match.index
  return match[0] === '' ? { start, end, next: text.length } : { start, end, next: end + match[0].length }
}

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
