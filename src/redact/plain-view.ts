import type { Finding } from './findings.ts'

/** A text with needless escapes undone, and the way back to where its characters stand. */
interface PlainView {
  text: string
  /** Where the character at this place begins in the original. */
  startOf(place: number): number
  /** Where the character before this place ends in the original. */
  endOf(place: number): number
}

/**
 * `\u002d` and `\/`, at any depth of JSON inside JSON. Quotes and backslashes stay escaped: undone, they would tell another
 * structure. So do characters beyond ASCII, for no secret is made of them.
 */
const needlessEscape = /\\+(?:u00([2-7][0-9a-fA-F])|\/)/g
const mayHold = /\\(?:u00[2-7]|\/)/

/**
 * Finds in a text, and where escapes that encoders need not have made hide something, also behind those. Places are those of the text
 * as it is; findings may overlap.
 */
export function inPlainView(text: string, find: (text: string) => Finding[]): Finding[] {
  const findings = find(text)
  const view = plainView(text)
  if (view === undefined) return findings
  const behind = find(view.text).map(({ kind, start, end }) => ({
    ...{ kind, start: view.startOf(start), end: view.endOf(end) },
  }))
  return [...findings, ...behind]
}

/** Undefined where no escape has to be undone. */
function plainView(text: string): PlainView | undefined {
  if (!mayHold.test(text)) return undefined
  /** Places of undone characters in the view, and where each begins and ends in the original. */
  const places: number[] = []
  const begins: number[] = []
  const ends: number[] = []
  let plain = ''
  let copied = 0
  for (const match of text.matchAll(needlessEscape)) {
    const character = match[1] === undefined ? '/' : String.fromCharCode(Number.parseInt(match[1], 16))
    if (character === '"' || character === '\\' || character === '\x7f') continue
    plain += text.slice(copied, match.index)
    places.push(plain.length)
    begins.push(match.index)
    copied = match.index + match[0].length
    ends.push(copied)
    plain += character
  }
  if (places.length === 0) return undefined
  plain += text.slice(copied)
  /** How many undone characters stand before a place. */
  const before = (place: number): number => {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[middle]! < place) low = middle + 1
      else high = middle
    }
    return low
  }
  const original = (place: number): number => {
    const count = before(place)
    if (places[count] === place) return begins[count]!
    return count === 0 ? place : ends[count - 1]! + place - places[count - 1]! - 1
  }
  return {
    text: plain,
    startOf: original,
    endOf(place) {
      const count = before(place)
      return count > 0 && places[count - 1] === place - 1 ? ends[count - 1]! : original(place - 1) + 1
    },
  }
}
