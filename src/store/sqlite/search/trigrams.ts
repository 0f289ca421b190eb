const TRIGRAM = 3

/** An index expression for the words that contain all trigrams of a part. Undefined for shorter parts. */
export function trigramsOf(part: string): string | undefined {
  const letters = [...part]
  const found = new Set<string>()
  for (let at = 0; at + TRIGRAM <= letters.length; at++)
    found.add(`"${letters.slice(at, at + TRIGRAM).join('')}"`)
  return found.size > 0 ? [...found].join(' AND ') : undefined
}
