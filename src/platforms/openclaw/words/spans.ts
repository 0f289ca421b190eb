/**
 * Removes spans from a text. Each opening extends to the next closing; one without closing stays. A regular
 * expression over both ends would search the rest again for every opening, and hostile texts have very many.
 */
export function withoutSpans(
  text: string,
  opening: RegExp,
  closingOf: (opening: RegExpExecArray) => string,
  taken?: (span: { inside: string }) => void,
): string {
  const pattern = new RegExp(opening, 'gi')
  const missing = new Set<string>()
  const lower = text.toLowerCase()
  const searchable = lower.length === text.length ? lower : text
  const parts: string[] = []
  let from = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const closing = closingOf(match)
    const start = match.index + match[0].length
    const end = missing.has(closing) ? -1 : searchable.indexOf(closing, start)
    if (end < 0) {
      missing.add(closing)
      continue
    }
    taken?.({ inside: text.slice(start, end) })
    parts.push(text.slice(from, match.index))
    from = end + closing.length
    pattern.lastIndex = from
  }
  if (from === 0) return text
  parts.push(text.slice(from))
  return parts.join('')
}
