const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c

/**
 * The source text of one member of a JSON object. Keeps the digits of numbers and supports any nesting. The
 * JSON must be valid. Undefined if the member does not exist. Of duplicate members, the last one counts.
 */
export function memberText(json: string, name: string): string | undefined {
  const wanted = JSON.stringify(name)
  let found: string | undefined
  let depth = 0
  let start = 0
  let key = ''
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfText(json, at)
      if (depth === 1 && key === '') start = at
      at = end
    } else if (depth === 1 && key === '' && code === COLON) {
      key = json.slice(start, at).trimEnd()
      start = at + 1
    } else if (depth === 1 && key !== '' && (code === COMMA || code === 0x7d)) {
      if (key === wanted) found = json.slice(start, at).trim()
      key = ''
      start = at + 1
    } else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return found
}

/** The end of the string that begins at a quote. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}
