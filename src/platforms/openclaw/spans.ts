/** What stands between an opening and the closing that belongs to it. */
export interface Span {
  /** The text of the opening, its groups behind it. */
  opening: RegExpExecArray
  inside: string
}

/**
 * A text without its spans. Each opening reaches to the next closing; one that is never closed stays. A regular
 * expression over both ends would search the rest again for every opening, and hostile texts have very many.
 */
export function withoutSpans(
  text: string,
  opening: RegExp,
  closingOf: (opening: RegExpExecArray) => string,
  taken?: (span: Span) => void,
): string {
  const pattern = new RegExp(opening, 'gi')
  const missing = new Set<string>()
  const lower = text.toLowerCase()
  const searchable = lower.length === text.length ? lower : text
  const kept: string[] = []
  let from = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const closing = closingOf(match)
    const start = match.index + match[0].length
    const end = missing.has(closing) ? -1 : searchable.indexOf(closing, start)
    if (end < 0) {
      missing.add(closing)
      continue
    }
    taken?.({ opening: match, inside: text.slice(start, end) })
    kept.push(text.slice(from, match.index))
    from = end + closing.length
    pattern.lastIndex = from
  }
  if (from === 0) return text
  kept.push(text.slice(from))
  return kept.join('')
}
