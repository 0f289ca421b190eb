/**
 * Formats a text as a block quote. Its Markdown stays inside the quote and cannot look like ours. Raw HTML
 * and images, which would run or be fetched when displayed, become text, whatever surrounds them: only code
 * that every renderer takes for code is left as it is.
 */
export function quoteMarkdown(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  /** Renderers may disagree about what is code: until the next paragraph, or until the end. */
  let doubtful = false
  let isAllDoubtful = false
  for (const line of text.split(/\r\n?|[\n\u2028\u2029]/)) {
    if (fence !== undefined) {
      lines.push(`> ${line}`)
      if (closesFence(line, fence)) fence = undefined
      continue
    }
    if (line.trim() === '') doubtful = false
    // Depending on the lines before, this is a fence of a list or one of its own.
    if (/^ {1,3}(?:`{3}|~{3})/.test(line)) isAllDoubtful = true
    fence = isAllDoubtful ? undefined : /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[0]
    if (fence !== undefined || line.trim() === '') lines.push(`> ${line}`.trimEnd())
    else {
      doubtful ||= isAllDoubtful || isIntricate(line)
      lines.push(`> ${doubtful ? inert(line) : inertOutsideCode(line)}`)
    }
  }
  return lines.join('\n')
}

/** A fence is closed by the same character, at least as often, with nothing after it. */
function closesFence(line: string, fence: string): boolean {
  const [run] = /^ {0,3}(?:`{3,}|~{3,})(?=[ \t]*$)/.exec(line) ?? []
  return run !== undefined && run.trimStart()[0] === fence[0] && run.trimStart().length >= fence.length
}

const CODE_SPAN = /(?<!`)(`+)(?!`)[^`]*(?<!`)\1(?!`)/g

/**
 * Whether code spans may end elsewhere than their marks say: at the end of a link, an address, a cell or
 * another span, or on a later line.
 */
const isIntricate = (line: string): boolean =>
  /\](?:[[(:]|$)/.test(line) ||
  (line.includes('`') && (/[\\|@]|:\/\/|www\./i.test(line) || line.replace(CODE_SPAN, '').includes('`')))

const inertOutsideCode = (line: string): string => {
  let text = ''
  let plain = 0
  for (const { index, 0: span } of line.matchAll(CODE_SPAN)) {
    text += inert(line.slice(plain, index)) + span
    plain = index + span.length
  }
  return text + inert(line.slice(plain))
}

/**
 * Makes the beginnings of tags and images text. A backslash would not: it can be the end of an address, and
 * then escapes nothing.
 */
const inert = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '&lt;').replace(/!(?=\[)/g, '&#33;')

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

/**
 * Escapes one line, so that no character of it has a meaning in Markdown, HTML or mathematics. `unescaped` in
 * `src/devlog/check/` reverses it.
 */
export const plainMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_[\]<>#|~!&$^{}@]/g, '\\$&')
    // An address becomes a link as far as the next space, with the escapes in it.
    .replace(/:\/\//g, ':\\//')
    .replace(/www\./gi, (start) => `${start.slice(0, 3)}\\.`)

/** Replaces line breaks and other white space by single spaces. */
export const oneLine = (text: string): string =>
  (SPACES.test(text) ? text.replace(/[\s\x85]+/g, ' ') : text).trim()

/** White space that is more than one space, or a line break of Unicode. Most sentences have none. */
const SPACES = /\s\s|[^\S ]|\x85/
