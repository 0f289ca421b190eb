/** Deeper values are nobody's record, and whatever walks them would need as many frames on its stack. */
const DEEPEST = 1000
/** A record holds so many values at most, which take up to 150 MB of memory. */
const MOST_VALUES = 2_000_000
/** A shorter line cannot hold what anything here would stumble over. */
const SHORT = 4096

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Whether JSON can be parsed in bounded memory. `JSON.parse` takes 50 times the bytes of a line of nothing but brackets, and it
 * takes them before it finds the line to be invalid.
 */
export function isWithinLimits(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < SHORT) return true
  let depth = 0
  let values = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      at = endOfString(bytes, at, end)
    } else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++depth > DEEPEST) return false
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (values > MOST_VALUES) return false
  }
  return true
}

/** Where the quote stands that ends the string that begins here; the end where none does. */
function endOfString(bytes: Uint8Array, open: number, end: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at >= 0 && at < end; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return end
}
