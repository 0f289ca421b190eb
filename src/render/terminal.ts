import measure from 'fast-string-truncated-width'
import { replaceHidden, shownText } from '../model/hidden.ts'

/**
 * Formats a command line of this program that runs as it is pasted. Print it at the end of a line, after a
 * colon or alone, so that it is never wrapped.
 */
/** A flag, one that is repeated for each value, or a list of arguments. */
export type SuggestedWord =
  | `-${string}`
  | { flag: `-${string}`; values: readonly string[] }
  | readonly string[]

export interface Suggest {
  /**
   * `suggest('restore', [id], '--condensed')`: a list holds arguments, which may come from a file. One that
   * begins with `-` stays an argument. A flag has its value after `=`.
   */
  (command: string, ...words: readonly SuggestedWord[]): string
  /** The given command line with these flags added or replaced, and with other arguments if there are any. */
  again(other: {
    flags?: readonly `-${string}`[]
    /** Instead of all that were given, */
    arguments?: readonly string[]
    /** or instead of one of them. */
    renamed?: { from: string; to: string }
  }): string
  /** Whether the command that was given has such a field. */
  takes(field: string): boolean
  /** The short form of a session's id that commands accept: no other session's id begins with it. */
  id(session: string): string
}

/** How output is formatted for humans. */
export interface Screen {
  /** Maximum line width. Infinite if unknown, as in a pipe; then nothing is wrapped or cut. */
  columns: number
  color: boolean
  /** Whether a human is looking at a terminal. Long listings then stop at a screenful. */
  terminal: boolean
  home: string
  now: number
  /** Formats a suggested command line, ready to paste. */
  suggest: Suggest
}

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

/**
 * The indentation of a line, with the sign or number before its text. A line never breaks after it, nor
 * before a dot between two facts.
 */
const LEAD = /^\s*(?:[-*!\u2022\u00b7\u2713\u2717] |\d+[.)] )?/

function broken(line: string, width: number): string[] {
  const lead = LEAD.exec(line)![0]
  const indent = lead.replace(/\S/g, ' ')
  const [first, ...words] = line.slice(lead.length).split(/(?<=\S) (?!· )/)
  const lines: string[] = []
  let current = `${lead}${first}`
  for (const word of words) {
    const joined = `${current} ${word}`
    if (widthOf(joined) > width) {
      lines.push(current)
      current = indent + word
    } else current = joined
  }
  return [...lines, current]
}

/**
 * Texts in which each character takes one column: Latin, and the quotes, dashes, arrows and lines of ordinary
 * output. For others, V8 takes milliseconds to create the patterns of the library.
 */
const plain = /^[ -~\u00a0-\u00ff\u2013-\u2015\u2018-\u201f\u2026\u2190-\u2193\u2500-\u257f]*$/

/** Width in terminal columns, counting wide and combined characters as displayed. */
export const widthOf = (text: string): number => (plain.test(text) ? text.length : measure(text).width)

/** Where to cut a text that is too wide, so that `ellipsis` columns remain. Undefined if all of it fits. */
export function cutOf(text: string, width: number, ellipsis = 0): number | undefined {
  if (plain.test(text)) return text.length > width ? Math.max(0, width - ellipsis) : undefined
  const { index, truncated } = measure(text, { limit: width, ellipsis: '…', ellipsisWidth: ellipsis })
  if (!truncated) return undefined
  // The library may return one character more after one that is not Latin.
  let cut = index
  while (cut > 0 && widthOf(text.slice(0, cut)) + ellipsis > width)
    cut -= (text.codePointAt(cut - 2) ?? 0) > 0xffff ? 2 : 1
  return cut
}

/** Removes what could move the cursor, change colors or titles, or hide text on a terminal. */
export const printable = (text: string): string => shownText(text).toWellFormed()

/** The same, in one line. */
export const shownLine = (text: string): string =>
  printable(text)
    .replace(/[\s\x85]+/g, ' ')
    .trim()

/** Escapes everything in JSON that a terminal executes or hides. The value stays the same. */
export const printableJson = (json: string): string =>
  replaceHidden(json, (piece) => piece.replace(UNSEEN, escaped))

/** Line ends between JSON values are kept. */
const UNSEEN = /[^\t\n\r\x20-\x7e]/g
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
