import type { ComponentChildren } from 'preact'

/** A text with the ranges of it marked that match. */
export function markedText(text: string, marks: readonly (readonly number[])[]): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let done = 0
  for (const [start = 0, end = 0] of marks) {
    if (start < done || end > text.length) continue
    parts.push(text.slice(done, start), <mark key={start}>{text.slice(start, end)}</mark>)
    done = end
  }
  parts.push(text.slice(done))
  return parts
}

/** The same for each place of some words. */
export function markedWords(text: string, typed: string): ComponentChildren[] {
  const lower = text.toLowerCase()
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  // A letter may have another length in lower case.
  if (lower.length !== text.length) return [text]
  const ranges = words.flatMap((word) => {
    const found: [number, number][] = []
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
      found.push([at, at + word.length])
    return found
  })
  return markedText(
    text,
    ranges.sort(([one], [other]) => one - other),
  )
}
