import { widthOf } from './text-width.ts'

/** In narrower terminals wrapping does not help. */
const NARROWEST = 24

/**
 * Wraps long lines at spaces, so that none is wider than `columns`. Continuation lines keep the indentation.
 * Fenced code and words that are too long by themselves are left unchanged.
 */
export function wrap(text: string, columns: number): string {
  const width = Math.max(NARROWEST, columns)
  let fenced = false
  return text
    .split('\n')
    .flatMap((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
      return fenced || line.length <= width / 2 || widthOf(line) <= width ? line : broken(line, width)
    })
    .join('\n')
}

/** A line that is a command of ours, or one that starts a client in a folder. In any color. */
const COMMAND = new RegExp(
  `^\\s*(?:${String.fromCharCode(27)}\\[[0-9;]*m)*(?:scrollback|npm start --|cd|[A-Z_]+=\\S+) `,
)
/** What precedes a command at the end of a sentence. */
const SUGGESTED = /: (?=(?:scrollback|npm start --) )/

/**
 * Wraps messages to the user at spaces, so that no line is wider than `columns`. A command at the end of a
 * sentence moves to a line of its own if it does not fit. It is never wrapped, so that it can be pasted.
 */
export function wrapTalk(text: string, columns: number): string {
  if (!Number.isFinite(columns)) return text
  return text
    .split('\n')
    .map((line) => {
      if (widthOf(line) <= columns || COMMAND.test(line)) return line
      const at = SUGGESTED.exec(line)?.index
      if (at === undefined) return wrap(line, columns)
      return `${wrap(line.slice(0, at + 1), columns)}\n  ${line.slice(at + 2)}`
    })
    .join('\n')
}

function broken(line: string, width: number): string[] {
  const indent = /^\s*(?:[-*\u2022] |\d+[.)] )?/.exec(line)![0].replace(/\S/g, ' ')
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\S) /)) {
    const joined = current === '' ? word : `${current} ${word}`
    if (current !== '' && widthOf(joined) > width) {
      lines.push(current)
      current = indent + word
    } else current = joined
  }
  return [...lines, current]
}
