/** No client writes deeper nesting, and recursive code would need as many stack frames. */
const DEEPEST = 1000
/** The maximum number of values in a record. They take up to 150 MB of memory. */
const MOST_VALUES = 2_000_000
/** Shorter lines cannot exceed either limit. */
const SHORT = 4096

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Whether JSON can be parsed in bounded memory. For a line of brackets, `JSON.parse` needs 50 times its size
 * before it notices that the line is invalid.
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

/** The index of the closing quote of a string, or `end` if there is none. */
function endOfString(bytes: Uint8Array, open: number, end: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at >= 0 && at < end; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return end
}
