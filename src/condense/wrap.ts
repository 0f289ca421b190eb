import measure from 'fast-string-truncated-width'

/** Narrower than this nothing is gained by breaking lines. */
const NARROWEST = 24

/**
 * Breaks long lines at spaces so that none is wider than `columns`. A line's own indentation is kept by what follows;
 * code between fences, and words that are too long by themselves, are left as they are.
 */
export function wrap(text: string, columns: number): string {
  const width = Math.max(NARROWEST, columns)
  let fenced = false
  return text
    .split('\n')
    .flatMap((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
      return fenced || line.length <= width / 2 || measure(line).width <= width ? line : broken(line, width)
    })
    .join('\n')
}

function broken(line: string, width: number): string[] {
  const indent = /^\s*(?:[-*•] |\d+[.)] )?/.exec(line)![0].replace(/\S/g, ' ')
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\S) /)) {
    const joined = current === '' ? word : `${current} ${word}`
    if (current !== '' && measure(joined).width > width) {
      lines.push(current)
      current = indent + word
    } else current = joined
  }
  return [...lines, current]
}
