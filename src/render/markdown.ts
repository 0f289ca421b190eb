/**
 * Formats a text as a block quote. Its Markdown stays inside the quote and cannot look like ours. Raw HTML
 * and images, which would run or be fetched when displayed, become text.
 */
export function quoteMarkdown(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  /** An open code span may end on a later line, so what is code is only known at the end of the paragraph. */
  let open = false
  for (const line of text.split(/\n|\u2028|\u2029/)) {
    if (fence !== undefined) {
      lines.push(`> ${line}`)
      if (closesFence(line, fence)) fence = undefined
      continue
    }
    fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0]
    if (line.trim() === '') open = false
    if (fence !== undefined || line.trim() === '') lines.push(`> ${line}`.trimEnd())
    else {
      const escaped = escapeOutsideCode(line, open)
      open = escaped.open
      lines.push(`> ${escaped.text}`)
    }
  }
  return lines.join('\n')
}

/** A fence is closed by the same character, at least as often, with nothing after it. */
function closesFence(line: string, fence: string): boolean {
  const [run] = /^ {0,3}(?:`{3,}|~{3,})(?=[ \t]*$)/.exec(line) ?? []
  return run !== undefined && run.trimStart()[0] === fence[0] && run.trimStart().length >= fence.length
}

const RISKY = /<(?=[a-z/!?])|!(?=\[)/gi

/** Escapes the beginnings of tags and images, except in code spans that begin and end on this line. */
function escapeOutsideCode(line: string, open: boolean): { text: string; open: boolean } {
  let text = ''
  let plain = 0
  let unmatched = open
  for (let at = line.indexOf('`'); at >= 0 && !unmatched; at = line.indexOf('`', at)) {
    const [run] = /^`+/.exec(line.slice(at))!
    const close = closingRun(line, at + run.length, run.length)
    const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(line.slice(0, at))
    if (close < 0 || isEscaped) unmatched = true
    else {
      text += line.slice(plain, at).replace(RISKY, '\\$&') + line.slice(at, close)
      at = plain = close
    }
  }
  return { text: text + line.slice(plain).replace(RISKY, '\\$&'), open: unmatched }
}

/** The offset after the next run of exactly this many backticks. -1 if there is none. */
function closingRun(line: string, from: number, length: number): number {
  for (const { index, 0: run } of line.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index + run.length
  return -1
}

/** Formats one line as a code span, whatever it contains. */
export function codeSpan(text: string): string {
  const line = oneLine(text)
  if (line === '') return ''
  let longest = 0
  for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const ticks = '`'.repeat(longest + 1)
  const space = /^[ `]|[ `]$/.test(line) ? ' ' : ''
  return `${ticks}${space}${line}${space}${ticks}`
}

/** Escapes one line, so that no character of it has a meaning in Markdown. */
export const plainMarkdown = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|~!]/g, '\\$&')

/** Replaces line breaks and other white space by single spaces. */
export const oneLine = (text: string): string => (SPACES.test(text) ? text.replace(/\s+/g, ' ') : text).trim()

/** White space that is more than one space. Most sentences have none. */
const SPACES = /\s\s|[^\S ]/
