/** A string in a JSON text: the range of its content, without the quotes. */
export interface JsonString {
  start: number
  end: number
  /** For a field name: the number of its object, counted by opening braces. */
  object?: number
}

/** All strings of a valid JSON text, in order. */
export function jsonStrings(text: string): JsonString[] {
  const strings: JsonString[] = []
  /** The open containers: the number of an object, or -1 for a list. */
  const open: number[] = []
  let objects = 0
  let nameNext = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      const end = endOfString(text, at + 1)
      strings.push({ start: at + 1, end, ...(nameNext && { object: open.at(-1)! }) })
      nameNext = false
      at = end
    } else if (code === 0x7b) {
      open.push(objects++)
      nameNext = true
    } else if (code === 0x5b) open.push(-1)
    else if (code === 0x7d || code === 0x5d) {
      open.pop()
      nameNext = false
    } else if (code === 0x2c) nameNext = (open.at(-1) ?? -1) >= 0
  }
  return strings
}

function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at++
  }
  return text.length
}

/** Widens a range in a string's content so that it does not split an escape. */
export function betweenEscapes(
  text: string,
  { start, end }: JsonString,
  from: number,
  to: number,
): [number, number] {
  // An escape has at most six characters, and a run of backslashes may precede it.
  let at = from
  while (at > start && at > from - 6) at--
  while (at > start && text.charCodeAt(at - 1) === 0x5c) at--
  let first = from
  while (at < to) {
    const next = text.charCodeAt(at) !== 0x5c ? at + 1 : text.charCodeAt(at + 1) === 0x75 ? at + 6 : at + 2
    if (at < from && next > from) first = at
    at = next
  }
  return [first, Math.min(at, end)]
}
