import { bytesOf } from './frame.ts'

/** Fields of an item that may have any length. */
const LONG = ['text', 'thinking', 'input', 'output', 'summary'] as const
/** Parts of this size fit into any answer. */
const PART_BYTES = 4000
const STEP = 500
const QUOTES = bytesOf('')

/** Splits an item with a long text into several items with one part each. Yields other items unchanged. */
export function* inParts(item: Record<string, unknown>): Generator<Record<string, unknown>> {
  const long = LONG.filter((name) => {
    const text = item[name]
    return typeof text === 'string' && text.length > PART_BYTES / 6 && bytesOf(text) > PART_BYTES
  })
  if (long.length === 0) return yield item
  const rest = Object.fromEntries(
    Object.entries(item).filter(([name]) => !long.some((each) => each === name)),
  )
  for (const name of long) {
    const pieces = slices(item[name] as string)
    for (const [index, text] of pieces.entries())
      yield { ...rest, [name]: text, part: `${index + 1} of ${pieces.length}` }
  }
}

/** Splits a text into small pieces without splitting a character. */
function slices(text: string): string[] {
  const pieces: string[] = []
  let begin = 0
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + STEP)
    if (end < text.length && isHigh(text.charCodeAt(end - 1))) end++
    const more = bytesOf(text.slice(at, end)) - QUOTES
    if (bytes > 0 && bytes + more > PART_BYTES) {
      pieces.push(text.slice(begin, at))
      begin = at
      bytes = 0
    }
    bytes += more
    at = end
  }
  pieces.push(text.slice(begin))
  return pieces
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
