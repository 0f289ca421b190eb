import measure from 'fast-string-truncated-width'

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
  return truncated ? index : undefined
}
