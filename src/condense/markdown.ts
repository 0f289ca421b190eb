/**
 * Somebody's words as a quotation: whatever Markdown they hold stays inside of it and looks like none of ours. Raw HTML and images, which
 * would run or be fetched where the page is shown, become text.
 */
export function quoteMarkdown(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  /** A backtick that is still open may end on a later line: what code is cannot be told before the paragraph ends. */
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

/** Ends with the same sign, as often or more, and nothing behind it. */
function closesFence(line: string, fence: string): boolean {
  const [run] = /^ {0,3}(?:`{3,}|~{3,})(?=[ \t]*$)/.exec(line) ?? []
  return run !== undefined && run.trimStart()[0] === fence[0] && run.trimStart().length >= fence.length
}

const RISKY = /<(?=[a-z/!?])|!(?=\[)/gi

/** Escapes what begins a tag or an image, but in code that begins and ends on this line. */
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

/** Behind the next run of exactly so many backticks; -1 where there is none. */
function closingRun(line: string, from: number, length: number): number {
  for (const { index, 0: run } of line.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index + run.length
  return -1
}

/** One line as code, whatever it holds. */
export function codeSpan(text: string): string {
  const line = oneLine(text)
  if (line === '') return ''
  let longest = 0
  for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const ticks = '`'.repeat(longest + 1)
  const space = /^[ `]|[ `]$/.test(line) ? ' ' : ''
  return `${ticks}${space}${line}${space}${ticks}`
}

/** One line as plain text: none of its signs mean anything. */
export const plainMarkdown = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|~!]/g, '\\$&')

/** Line breaks and what else is white become single spaces. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
